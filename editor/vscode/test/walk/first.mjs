// The first question in a fresh profile: no settings, default layout, small window.
import assert from "node:assert/strict";

export const untouched = true;
export const size = { width: 1280, height: 800 };
export const settings = () => ({});

export const steps = {
  async "the first question can be answered without dragging or scrolling"(person, { picture }) {
    await person.openFile("test_cart.py");
    await person.see("lens", "Find the bug");
    await person.all("lens", "Find the bug").last().click();
    await person.isAsked("amount_of([('lamp', 2), ('chair', 1)]) = 100");
    await person.rest();
    await picture(person, "first-question");
    assert.equal(await person.question.locator("#buttons button").count(), 8);
    assert.deepEqual(await person.hiddenButtons(), []);
    await person.see("variable", "Before");
    await person.seeItem("in question: routine amount_of");
    await person.answer("Yes");
    await person.isAsked("discount(100) = 0");
    assert.deepEqual(await person.hiddenButtons(), []);
  },

  async "the answers stay in sight where the view is small, as in the debug container"(person, { seen }) {
    await person.command("View: Move View");
    await person.choose("Question");
    await person.choose("Run and Debug");
    await person.isAsked("discount(100) = 0");
    await seen(person, "question-in-debug-container");
    const hidden = await person.hiddenButtons();
    assert.deepEqual(hidden.filter((name) => ["Yes", "No", "Don't know"].includes(name)), []);
    const text = await person.question.locator("#asked .text").boundingBox();
    const view = await person.page.locator("iframe.webview.ready").boundingBox();
    assert.ok(text.y + text.height <= view.y + view.height, "the question itself is not visible");
  },
};
