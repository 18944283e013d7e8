/* SPDX-License-Identifier: MIT */
/*
 * A headless Chromium, driven over two pipes by the Chrome DevTools Protocol:
 *
 *     open() ─▶ browser.page(url, options) ─▶ page.key(), page.click(), page.evaluate() ...
 *
 * Nothing of it waits for a time: a call returns when the browser says that it is done, and
 * page.until() asks again until something is so.
 */
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const KEYS = {
  Enter: { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" },
  Escape: { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 },
  ArrowUp: { key: "ArrowUp", code: "ArrowUp", windowsVirtualKeyCode: 38 },
  ArrowDown: { key: "ArrowDown", code: "ArrowDown", windowsVirtualKeyCode: 40 },
  ArrowLeft: { key: "ArrowLeft", code: "ArrowLeft", windowsVirtualKeyCode: 37 },
  ArrowRight: { key: "ArrowRight", code: "ArrowRight", windowsVirtualKeyCode: 39 },
  Tab: { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 },
};

class Page {
  constructor(browser, session) {
    this.browser = browser;
    this.session = session;
    this.complaints = []; /* messages of the console, and errors of scripts */
    this.requests = [];   /* requests for anything but the file itself */
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  take(message) {
    const params = message.params;
    if (message.method === "Runtime.exceptionThrown")
      this.complaints.push(params.exceptionDetails.exception.description);
    if (message.method === "Runtime.consoleAPICalled")
      this.complaints.push(params.args.map((arg) => arg.value).join(" "));
    if (message.method === "Log.entryAdded") this.complaints.push(params.entry.text);
    if (message.method === "Network.requestWillBeSent" && !/^(file|data):/.test(params.request.url))
      this.requests.push(params.request.url);
  }

  /* The value of an expression or a promise, converted to JSON and back. */
  async evaluate(expression) {
    const answer = await this.send("Runtime.evaluate", {
      expression: expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception.description);
    return answer.result.value;
  }

  async until(expression, what) {
    for (let i = 0; i < 600; i++) {
      if (await this.evaluate(expression)) return;
      await this.evaluate("new Promise(requestAnimationFrame)");
    }
    throw new Error("never came: " + (what || expression));
  }

  text(id) {
    return this.evaluate(`document.getElementById("${id}").textContent.trim()`);
  }

  hash() {
    return this.evaluate("decodeURIComponent(location.hash)");
  }

  async move(x, y) {
    await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  }

  async click(x, y, modifiers) {
    const event = { x, y, button: "left", clickCount: 1, modifiers: modifiers || 0 };
    await this.send("Input.dispatchMouseEvent", Object.assign({ type: "mousePressed" }, event));
    await this.send("Input.dispatchMouseEvent", Object.assign({ type: "mouseReleased" }, event));
  }

  /* modifiers: 1 alt, 2 control, 4 meta, 8 shift */
  async key(name, modifiers) {
    const key = KEYS[name] || { key: name, text: name };
    const event = Object.assign({ modifiers: modifiers || 0 }, key, modifiers ? { text: undefined } : {});
    await this.send("Input.dispatchKeyEvent", Object.assign({ type: "keyDown" }, event));
    await this.send("Input.dispatchKeyEvent", Object.assign({ type: "keyUp" }, event));
  }

  async type(text) {
    for (const character of text) await this.key(character);
  }

  async screenshot() {
    return (await this.send("Page.captureScreenshot", { format: "png" })).data;
  }

  async open(url, options) {
    await this.send("Page.enable");
    await this.send("Runtime.enable");
    await this.send("Log.enable");
    await this.send("Network.enable");
    await this.send("Emulation.setDeviceMetricsOverride", {
      width: options.width || 1200,
      height: options.height || 700,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await this.send("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value: options.theme || "light" }],
    });
    await this.send("Emulation.setScriptExecutionDisabled", { value: options.hasNoScript || false });
    const loaded = this.browser.once("Page.loadEventFired", this.session);
    await this.send("Page.navigate", { url: url });
    await loaded;
    if (!options.hasNoScript) await this.until(options.isReady || 'document.querySelector("svg").classList.contains("live")', "the viewer");
  }

  close() {
    return this.browser.closePage(this);
  }
}

class Browser {
  /* more: further options of the program */
  constructor(program, more) {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "kiln-browser-"));
    this.process = spawn(
      program,
      ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars",
        "--force-color-profile=srgb",
        /* A page and the documents inside it share a session. */
        "--disable-features=IsolateSandboxedIframes",
        "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding", "--remote-debugging-pipe", "--user-data-dir=" + this.profile,
        ...more],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    this.listeners = [];
    this.pages = new Map();
    this.next = 1;
    this.rest = "";
    this.process.stdio[4].setEncoding("utf8");
    this.process.stdio[4].on("data", (bytes) => this.take(bytes));
    this.process.on("exit", () => this.waiting.forEach((call) => call.reject(new Error("the browser ended"))));
  }

  take(bytes) {
    const messages = (this.rest + bytes).split("\0");
    this.rest = messages.pop();
    messages.map((text) => JSON.parse(text)).forEach((message) => {
      const call = this.waiting.get(message.id);
      const page = this.pages.get(message.sessionId);
      this.waiting.delete(message.id);
      if (call && message.error) call.reject(new Error(message.error.message));
      else if (call) call.resolve(message.result);
      if (page && message.method) page.take(message);
      this.listeners = this.listeners.filter((listener) => !listener(message));
    });
  }

  send(method, params, session) {
    const id = this.next++;
    const message = { id: id, method: method, params: params || {}, sessionId: session };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve, reject: reject });
      this.process.stdio[3].write(JSON.stringify(message) + "\0");
    });
  }

  once(method, session) {
    return new Promise((resolve) => {
      this.listeners.push((message) => {
        const isIt = message.method === method && message.sessionId === session;
        if (isIt) resolve(message.params);
        return isIt;
      });
    });
  }

  /* Opens a file in a page of its own. options: width, height, theme, hash, hasNoScript, isReady: an expression. */
  async page(file, options) {
    const settings = options || {};
    const target = await this.send("Target.createTarget", { url: "about:blank" });
    const attached = await this.send("Target.attachToTarget", { targetId: target.targetId, flatten: true });
    const page = new Page(this, attached.sessionId);
    page.target = target.targetId;
    this.pages.set(attached.sessionId, page);
    await page.open("file://" + path.resolve(file) + (settings.hash || ""), settings);
    return page;
  }

  async closePage(page) {
    await this.send("Target.closeTarget", { targetId: page.target });
    this.pages.delete(page.session);
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.send("Browser.close").catch(() => {});
    await ended;
    fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

module.exports = { open: (program, ...more) => new Browser(program, more) };
