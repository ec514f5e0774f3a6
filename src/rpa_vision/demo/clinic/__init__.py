"""« Clinique des Lilas — Facturation »: a small but whole web application to be watched and automated."""
