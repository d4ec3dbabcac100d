// Which server this shell opens, from the environment: one shell is built for one server (docs/decisions/036).

const read = (name, otherwise) => (process.env[name] ?? '').trim() || otherwise

/** A phone that is tried on a desk: the emulator's way to the computer, or the computer itself. */
const onDesk = new Set(['localhost', '127.0.0.1', '10.0.2.2'])

/** @throws Error in one line when a value cannot be used */
const serverAddress = () => {
  const text = read('SWATH_APP_URL', 'https://app.swath.example')
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search)
    throw new Error(`SWATH_APP_URL must look like https://app.example.com (it is "${text}").`)
  // Cookies, the service worker and the camera need a safe origin.
  if (url.protocol === 'http:' && !onDesk.has(url.hostname))
    throw new Error(`SWATH_APP_URL must begin with https:// (it is "${text}").`)
  const id = read('SWATH_APP_ID', 'app.swath.crew')
  if (!/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/.test(id))
    throw new Error(`SWATH_APP_ID must look like com.example.crew (it is "${id}").`)
  return {
    origin: url.origin,
    host: url.hostname,
    cleartext: url.protocol === 'http:',
    id,
    name: read('SWATH_APP_NAME', 'Swath'),
  }
}

module.exports = { serverAddress }
