-- A whole session, as a person would have it: lenses and code actions, chosen by their titles. Writes what is on the screen.

local MEANT = { ["amount_of("] = "Yes", ["discount(100)"] = "No", ["amount > 100"] = "No" }
local wanted, offered

local function say(...)
  io.stdout:write(string.format(...), "\n")
end

vim.ui.select = function(items, options, choose)
  offered = vim.tbl_map(options.format_item or tostring, items)
  for index, title in ipairs(offered) do
    if title:find(wanted, 1, true) then
      return choose(items[index], index)
    end
  end
  error(wanted .. " is not offered, only " .. table.concat(offered, ", "))
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then
    say("waited in vain for %s", what)
    vim.cmd("cquit")
  end
end

local function lenses()
  local found = {}
  for _, lens in ipairs(vim.lsp.codelens.get(0)) do
    table.insert(found, lens)
  end
  return found
end

local function question()
  for _, lens in ipairs(lenses()) do
    if lens.command.title:find("%?$") then
      return lens
    end
  end
end

local function verdicts()
  return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
end

-- The lines of the buffer with what stands beside them.
local function screen()
  local beside = {}
  local function add(line, text)
    beside[line] = (beside[line] and beside[line] .. " | " or "") .. text
  end
  for _, lens in ipairs(lenses()) do
    add(lens.range.start.line, lens.command.title)
  end
  for _, found in ipairs(vim.diagnostic.get(0)) do
    local kind = found.severity == vim.diagnostic.severity.ERROR and "ERROR" or "hint"
    add(found.lnum, string.format("%s %d:%d: %s", kind, found.lnum + 1, found.col + 1, found.message))
  end
  say("--- %s", vim.fn.expand("%:t"))
  for number, text in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    say("%3d  %s", number, text)
    if beside[number - 1] then
      say("     [%s]", beside[number - 1])
    end
  end
end

local function on_line(text)
  vim.fn.search(text)
end

local function lens(title)
  wanted = title
  say(">>> lens: %s", title)
  vim.lsp.codelens.run()
end

local function action(title)
  wanted, offered = title, nil
  say(">>> code action: %s", title)
  vim.lsp.buf.code_action()
  wait("code actions", function() return offered ~= nil end)
end

local function session()
  vim.cmd("edit test_cart.py")
  wait("lenses", function() return #lenses() == 2 end)
  screen()
  on_line("def test_from_a_hundred_on")
  lens("Find the bug")
  local last
  while true do
    wait("a question or a verdict", function()
      local now = question()
      return #verdicts() > 0 or (now and now.command.title ~= last)
    end)
    if #verdicts() > 0 then break end
    local asked = question()
    last = asked.command.title
    screen()
    vim.api.nvim_win_set_cursor(0, { asked.range.start.line + 1, 0 })
    for part, answer in pairs(MEANT) do
      if last:find(part, 1, true) then
        lens(answer)
        break
      end
    end
  end
  wait("the lenses to follow", function() return question() == nil end)
  screen()
  for _, related in ipairs(verdicts()[1].user_data.lsp.relatedInformation) do
    say("  %s", related.message)
  end
  on_line("amount > 100")
  vim.cmd("s/amount > 100/amount >= 100/")
  vim.cmd("silent write")
  wait("the verdict to follow the edit", function() return verdicts()[1].message:find("changed since", 1, true) end)
  action("Verify the fix")
  wait("the verdict to go", function() return #vim.diagnostic.get(0) == 0 and #lenses() == 0 end)
  screen()
end

local done, problem = pcall(session)
if not done then
  say("%s", problem)
  vim.cmd("cquit")
end
vim.cmd("qall!")
