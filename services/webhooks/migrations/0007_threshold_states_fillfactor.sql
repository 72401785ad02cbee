-- Each scan of a brand updates its rows and no indexed column of them: room on the page keeps these updates HOT.
alter table threshold_states set (fillfactor = 70);
