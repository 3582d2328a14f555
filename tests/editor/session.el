;;; What a test asks of a running Emacs, in JSON: what is asked, and what is in a buffer.  -*- lexical-binding: t -*-

(require 'json)
(require 'server)
(setq server-socket-dir (getenv "SESSION_SOCKETS") server-name "session")
(server-start)

(defun session-managed (name)
  "Whether a server looks after the buffer NAME."
  (json-encode (and (get-buffer name)
                    (fboundp 'eglot-managed-p)
                    (with-current-buffer name (and (eglot-managed-p) t)))))

(defun session-asked ()
  "The prompt of the minibuffer with what can be chosen, or null."
  (json-encode
   (when-let ((window (active-minibuffer-window)))
     (with-selected-window window
       (list :prompt (minibuffer-prompt)
             :typed (minibuffer-contents-no-properties)
             :choices (vconcat (ignore-errors (all-completions "" minibuffer-completion-table))))))))

(defun session-buffer (name)
  "The text of the buffer NAME, and its diagnostics."
  (json-encode
   (with-current-buffer name
     (list :text (buffer-substring-no-properties (point-min) (point-max))
           :saved (not (buffer-modified-p))
           :diagnostics
           (vconcat
            (mapcar (lambda (found)
                      (list :line (line-number-at-pos (flymake-diagnostic-beg found))
                            :code (buffer-substring-no-properties
                                   (flymake-diagnostic-beg found) (flymake-diagnostic-end found))
                            :text (substring-no-properties (flymake-diagnostic-text found))
                            :type (format "%s" (flymake-diagnostic-type found))))
                    (flymake-diagnostics)))))))

(defun session-said (part)
  "The last message that has PART in it, or null."
  (json-encode
   (with-current-buffer "*Messages*"
     (save-excursion
       (goto-char (point-max))
       (and (search-backward part nil t)
            (buffer-substring-no-properties (line-beginning-position) (line-end-position)))))))
