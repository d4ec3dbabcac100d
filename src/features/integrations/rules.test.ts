import { describe, expect, it } from 'vitest'
import { integrationKeys, integrationsOf, type ServerSettings } from './rules.ts'

const local: ServerSettings = {
  production: false,
  publicUrl: 'http://localhost:3000',
  smtpUrl: undefined,
  mailFrom: 'mail@swath.example',
  twilioAccountSid: undefined,
  twilioAuthToken: undefined,
  twilioMessagingServiceSid: undefined,
  mailInboundDomain: undefined,
  mailInboundSecret: undefined,
  travel: { state: 'none' },
  stripe: { mode: 'off' },
  books: { mode: 'off' },
  push: { vapid: { mode: 'off' }, fcm: { mode: 'off' }, apns: { mode: 'off' } },
  plansProblem: null,
  geocoding: { state: 'none' },
  maps: { services: [], file: undefined },
  googleClientId: undefined,
  googleClientSecret: undefined,
  oidcIssuer: undefined,
}
const stateOf = (settings: ServerSettings, key: string) => integrationsOf(settings).find((one) => one.key === key)

describe('integrationsOf', () => {
  it('names each once', () => expect(integrationsOf(local).map((one) => one.key)).toEqual([...integrationKeys]))

  it.each([
    ['payments', 'local', 'off'],
    ['plans', 'local', 'off'],
    ['mail', 'local', 'off'],
    ['sms', 'local', 'off'],
    ['address', 'local', 'real'],
    ['maps', 'builtIn', 'builtIn'],
    ['travel', 'builtIn', 'builtIn'],
    ['geocoding', 'builtIn', 'builtIn'],
    ['google', 'local', 'off'],
    ['books', 'local', 'off'],
    ['push', 'local', 'real'],
  ])('%s is %s here and %s in production', (key, here, there) => {
    expect(stateOf(local, key)?.mode).toBe(here)
    expect(stateOf({ ...local, production: true }, key)?.mode).toBe(there)
  })

  it.each([
    [
      { services: [], file: '/srv/georgia.pmtiles' },
      'builtIn',
      'from a map file on this server. No map service is asked.',
    ],
    [
      {
        services: [
          { name: 'OpenFreeMap', hosts: ['https://tiles.openfreemap.org'], shows: 'streets' },
          { name: 'Mapbox', hosts: ['https://api.mapbox.com'], shows: 'pictures' },
        ],
        file: undefined,
      },
      'real',
      'Streets come from OpenFreeMap',
    ],
  ] as const)('says where maps come from: %j', (maps, mode, words) => {
    const row = stateOf({ ...local, maps }, 'maps')
    expect(row?.mode).toBe(mode)
    expect(row?.message).toContain(words)
  })

  it('keeps a half-configured SMS provider off and says what is missing', () => {
    const there = { ...local, production: true, publicUrl: 'https://app.oak.test' }
    const half = { ...there, twilioAccountSid: 'AC1', twilioAuthToken: 'hunter2' }
    expect(stateOf(half, 'sms')).toMatchObject({
      mode: 'off',
      message: expect.stringContaining('stays off until TWILIO_MESSAGING_SERVICE_SID is set'),
    })
    expect(stateOf({ ...half, twilioMessagingServiceSid: 'MG1' }, 'sms')).toMatchObject({ mode: 'real', missing: [] })
    expect(stateOf({ ...half, production: false }, 'sms')?.message).toContain('needs a public address')
    expect(JSON.stringify(integrationsOf(half))).not.toContain('hunter2')
  })

  it.each([
    [
      { mode: 'incomplete', reason: 'Stripe stays off: X is not set.', missing: ['STRIPE_SECRET_KEY'] },
      null,
      'off',
      /X is not set/,
    ],
    [{ mode: 'ready', livemode: false, connect: false }, null, 'real', /test mode/],
    [{ mode: 'ready', livemode: true, connect: false }, null, 'real', /real money/],
    [{ mode: 'ready', livemode: true, connect: false }, 'Pro should be 79.99.', 'off', /79\.99/],
  ] as const)('plans with %j and %s are %s', (stripe, plansProblem, mode, message) => {
    const plans = stateOf({ ...local, stripe, plansProblem }, 'plans')
    expect(plans?.mode).toBe(mode)
    expect(plans?.message).toMatch(message)
  })

  it('keeps half a Google sign-in off and says what is missing', () => {
    const half = { ...local, googleClientId: 'id.apps.googleusercontent.com' }
    expect(stateOf(half, 'google')).toMatchObject({
      mode: 'off',
      message: expect.stringContaining('stays off until GOOGLE_CLIENT_SECRET is set'),
      missing: [{ name: 'GOOGLE_CLIENT_SECRET' }],
    })
    const whole = { ...half, googleClientSecret: 'hunter2' }
    expect(stateOf(whole, 'google')).toMatchObject({ mode: 'real', missing: [] })
    expect(JSON.stringify(integrationsOf(whole))).not.toContain('hunter2')
  })

  it('says what mail lacks, and never shows the password', () => {
    expect(stateOf(local, 'mail')?.missing.map((one) => one.name)).toEqual(['SMTP_URL', 'MAIL_FROM'])
    const half = { ...local, smtpUrl: 'smtps://bob:hunter2@mail.oak.test' }
    expect(stateOf(half, 'mail')?.missing.map((one) => one.name)).toEqual(['MAIL_FROM'])
    const whole = { ...half, mailFrom: 'office@oak.test' }
    expect(stateOf(whole, 'mail')).toMatchObject({ mode: 'real', missing: [] })
    expect(JSON.stringify(integrationsOf(whole))).not.toMatch(/hunter2|bob/)
  })

  it('says where drive times come from, and what a half set-up engine lacks', () => {
    const on = stateOf({ ...local, travel: { state: 'on', name: 'OSRM', host: 'osrm:5000' } }, 'travel')
    expect([on?.mode, on?.message]).toEqual(['real', expect.stringContaining('from OSRM (osrm:5000)')])
    const off = {
      state: 'off',
      name: 'Google Routes',
      message: 'its key is missing',
      missing: ['SWATH_TRAVEL_KEY'],
    } as const
    expect(stateOf({ ...local, travel: off }, 'travel')).toMatchObject({
      mode: 'off',
      message: expect.stringMatching(/^Google Routes .* its key is missing\. Until then they are estimated/),
      missing: [{ name: 'SWATH_TRAVEL_KEY' }],
    })
  })
})
