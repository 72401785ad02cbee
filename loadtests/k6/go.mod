module brand-visibility/loadtests/k6

go 1.25.0

require go.k6.io/k6/v2 v2.2.0
