"""The recorder, which runs on the BEAM (`*.erl`), and the OTP installation that runs it."""
