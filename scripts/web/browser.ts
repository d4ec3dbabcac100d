import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How to start a browser: the one that SWATH_BROWSER names, an installed Chrome or Chromium, else the one that a registry package carries. */
export const findBrowser = async (): Promise<{ path: string; args: string[] }> => {
  const own = process.env.SWATH_BROWSER ?? installed.find((path) => existsSync(path))
  if (own) return { path: own, args: quiet }
  // It brings its own libraries when it believes to run as a cloud function.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs20.x'
  const { default: carried } = await import('@sparticuz/chromium')
  const usable = carried.args.filter((arg) => !arg.startsWith('--single-process') && !arg.startsWith('--headless'))
  return { path: await carried.executablePath(), args: [...usable, ...quiet] }
}

/** Starts that browser. */
export const launchBrowser = async (): Promise<Browser> => {
  const { path, args } = await findBrowser()
  return chromium.launch({ executablePath: path, args, env: { ...process.env } as Record<string, string> })
}
