/* SPDX-License-Identifier: MIT */
/*
 * A headless Firefox, driven over loopback by Marionette, which Firefox has built in. A message is its
 * length, a colon and JSON:
 *
 *     25:[0,1,"WebDriver:GetTitle"]     ─▶  a call, number 1
 *     22:[1,1,null,{"value":""}]        ◀─  its answer: error, result
 *
 * Firefox chooses a free port, and writes it into a file of its profile.
 */
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const net = require("net");
const os = require("os");
const path = require("path");

const PREFERENCES = {
  "marionette.port": 0,
  "app.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.page": 0,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "network.proxy.type": 1, /* a proxy that does not exist, so nothing is downloaded */
  "network.proxy.http": "127.0.0.1",
  "network.proxy.ssl": "127.0.0.1",
  "toolkit.telemetry.enabled": false,
};

class Firefox {
  constructor(program) {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "kiln-firefox-"));
    fs.writeFileSync(path.join(this.profile, "user.js"),
      Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(""));
    this.waiting = new Map(); /* maps a call's number to the functions of its promise */
    this.failure = null;
    this.next = 1;
    this.rest = Buffer.alloc(0);
    this.program = program;
  }

  /* Makes all waiting calls fail, and all later ones. */
  fail(error) {
    this.failure = this.failure || error;
    this.waiting.forEach((call) => call.reject(this.failure));
    this.waiting.clear();
  }

  wait(id) {
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve: resolve, reject: reject }));
  }

  /* Waits until Firefox has written its port. */
  async port() {
    const file = path.join(this.profile, "MarionetteActivePort"), written = this.wait("port");
    const read = () => {
      const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "", call = this.waiting.get("port");
      if (text && call) call.resolve(Number(text));
    };
    const watcher = fs.watch(this.profile, read);
    read();
    try {
      return await written;
    } finally {
      watcher.close();
      this.waiting.delete("port");
    }
  }

  async start() {
    this.process = spawn(this.program, ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", this.profile],
      { stdio: "ignore", env: Object.assign({}, process.env, { HOME: this.profile, MOZ_HEADLESS_WIDTH: "1200", MOZ_HEADLESS_HEIGHT: "900" }) });
    this.ended = new Promise((resolve) => {
      this.process.once("exit", (code, signal) => {
        this.fail(new Error("Firefox ended: " + (signal || "exit code " + code)));
        resolve();
      });
      this.process.once("error", (error) => {
        this.fail(error);
        resolve();
      });
    });
    const port = await this.port(), greeted = this.wait(0);
    this.socket = net.connect(port, "127.0.0.1");
    this.socket.on("data", (bytes) => this.take(bytes));
    this.socket.on("error", (error) => this.fail(error));
    this.socket.on("close", () => this.fail(new Error("Firefox closed the connection")));
    await greeted;
    await this.send("WebDriver:NewSession", { capabilities: { alwaysMatch: { unhandledPromptBehavior: "accept" } } });
  }

  take(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (let colon; (colon = this.rest.indexOf(58)) >= 0; ) {
      const end = colon + 1 + Number(this.rest.subarray(0, colon));
      if (this.rest.length < end) return;
      const message = JSON.parse(this.rest.subarray(colon + 1, end).toString());
      const [, id, error, result] = Array.isArray(message) ? message : [1, 0, null, message], call = this.waiting.get(id);
      this.rest = this.rest.subarray(end);
      this.waiting.delete(id);
      if (!call) continue;
      if (error) call.reject(new Error(error.error + ": " + error.message));
      else call.resolve(result);
    }
  }

  send(command, parameters) {
    const id = this.next++, text = JSON.stringify([0, id, command, parameters || {}]);
    const answer = this.wait(id);
    if (!this.failure) this.socket.write(Buffer.byteLength(text) + ":" + text);
    return answer;
  }

  /* The value of an expression or a promise, converted to JSON and back. */
  async evaluate(expression) {
    return (await this.send("WebDriver:ExecuteScript", { script: "return (" + expression + ");", args: [], newSandbox: false, sandbox: null })).value;
  }

  async until(expression, what) {
    for (let i = 0; i < 600; i++) {
      if (await this.evaluate(expression)) return;
      await this.evaluate("new Promise((done) => requestAnimationFrame(() => done()))");
    }
    throw new Error("never came: " + (what || expression));
  }

  async open(file, isReady) {
    await this.evaluateOfBrowser("Services.console.reset()");
    await this.send("WebDriver:Navigate", { url: "file://" + path.resolve(file) });
    await this.until(isReady, "the viewer");
  }

  async evaluateOfBrowser(expression) {
    await this.send("Marionette:SetContext", { value: "chrome" });
    try {
      return await this.evaluate(expression);
    } finally {
      await this.send("Marionette:SetContext", { value: "content" });
    }
  }

  /* Messages of the console about the files: errors of scripts, and what the policy refused. */
  complaints() {
    return this.evaluateOfBrowser(`Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError && /^file:/.test(one.sourceName))
      .map((one) => one.errorMessage)`);
  }

  async actions(type, list) {
    await this.send("WebDriver:PerformActions", { actions: [{ type: type, id: type, parameters: type === "pointer" ? { pointerType: "mouse" } : undefined, actions: list }] });
  }

  /* Presses at the first point, and releases at the last one. */
  drag(points) {
    const [first, ...more] = points.map(({ x, y }) => ({ type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y), origin: "viewport" }));
    return this.actions("pointer", [first, { type: "pointerDown", button: 0 }].concat(more, [{ type: "pointerUp", button: 0 }]));
  }

  type(text) {
    return this.actions("key", Array.from(text).flatMap((key) => [{ type: "keyDown", value: key }, { type: "keyUp", value: key }]));
  }

  async screenshot() {
    return (await this.send("WebDriver:TakeScreenshot", { full: false })).value;
  }

  async quit() {
    this.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
    await this.ended;
  }

  /* Ends Firefox if it still runs, and removes its profile. */
  discard() {
    if (this.process && this.process.exitCode === null && this.process.signalCode === null) this.process.kill("SIGKILL");
    if (this.socket) this.socket.destroy();
    fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

module.exports = { Firefox };
