// Writes what the generated projects need to know of the server: the page for no signal, and the host for Xcode. Before every `cap sync`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import address from './server-address.js'

const folder = import.meta.dirname
const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const inHtml = (text) => text.replace(/[&<>"]/g, (sign) => escapes[sign])

/** The page that is shown where the server cannot be reached and nothing is kept yet. */
export const noSignalPage = (template, { origin, host, name }) =>
  template.replaceAll('{ORIGIN}', inHtml(origin)).replaceAll('{HOST}', inHtml(host)).replaceAll('{NAME}', inHtml(name))

export const xcodeSettings = ({ host, id, name }) =>
  `SWATH_HOST = ${host}\nSWATH_APP_ID = ${id}\nSWATH_APP_NAME = ${name}\n`

export const prepare = () => {
  const found = address.serverAddress()
  const page = noSignalPage(readFileSync(join(folder, 'no-signal.html'), 'utf8'), found)
  mkdirSync(join(folder, 'www'), { recursive: true })
  // Capacitor wants an index; the shell opens the server instead.
  for (const name of ['index.html', 'no-signal.html']) writeFileSync(join(folder, 'www', name), page)
  writeFileSync(join(folder, 'ios', 'server.xcconfig'), xcodeSettings(found))
  return found
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(`This shell opens ${prepare().origin}.`)
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
