"""Analysis: functions from a model and a data set to frozen records. No drawing here."""
