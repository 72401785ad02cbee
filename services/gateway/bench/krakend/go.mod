module brand-visibility/bench/krakend

go 1.21

require github.com/devopsfaith/krakend-ce v1.4.1
