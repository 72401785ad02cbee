# Writes coverage.json: Chao2 by specpool of vegan (Debian's r-cran-vegan), on the data of the package and on random answers.
suppressPackageStartupMessages({ library(vegan); library(jsonlite) })
data(BCI, dune, mite, varespec, sipoo)
set.seed(58)
answers <- function(names, m, p) matrix(rbinom(names * m, 1, p), nrow = m)
cases <- list(
  BCI = BCI, dune = dune, mite = mite, sipoo = sipoo,
  rare = answers(400, 30, 0.01), even = answers(200, 120, 0.02), few = diag(4), one = matrix(1, 2, 1)
)
reference <- lapply(names(cases), function(name) {
  seen <- colSums(cases[[name]] > 0)
  seen <- seen[seen > 0]
  pool <- specpool(cases[[name]])
  list(
    name = name, units = nrow(cases[[name]]), incidences = sum(seen), seen = length(seen), once = sum(seen == 1),
    twice = sum(seen == 2), chao = pool$chao, se = pool$chao.se
  )
})
lines <- vapply(reference, function(case) toJSON(case, auto_unbox = TRUE, digits = 12), "")
header <- sprintf('{ "vegan": "%s", "cases": [', packageVersion("vegan"))
writeLines(c(header, paste0(lines, c(rep(",", length(lines) - 1), "")), "] }"), "coverage.json")
