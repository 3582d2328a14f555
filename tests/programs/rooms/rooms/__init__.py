"""Bookings of meeting rooms, in batches that succeed or fail as a whole."""
