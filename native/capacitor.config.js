const { serverAddress } = require('./server-address.js')

const { origin, host, cleartext, id, name } = serverAddress()

/** @type {import('@capacitor/cli').CapacitorConfig} */
module.exports = {
  appId: id,
  appName: name,
  webDir: 'www',
  server: {
    url: origin,
    cleartext,
    errorPath: 'no-signal.html',
  },
  // iOS gives a service worker, and with it a start without a signal, only to the domains that Info.plist names.
  ios: { limitsNavigationsToAppBoundDomains: true },
  // What the server's own service worker asks for goes straight to the server.
  // The older bridge is the one over which positions keep coming for longer than five minutes in the pocket.
  android: { resolveServiceWorkerRequests: false, useLegacyBridge: true },
  appHost: host,
}
