import { config } from '../../../platform/config.ts'
import { paths } from '../../../shared/paths.ts'
import type { Integration } from '../contract.ts'

const inLocalMode = <T>(value: T): T | null => (config.production ? null : value)

/** The mode of every outside service, from the settings of this server. Secrets are never named, only whether they are there. */
export const listIntegrations = (): Integration[] => [
  config.production
    ? {
        id: 'payments',
        name: 'Card payments',
        mode: 'off',
        now: 'Customers can not pay by card; checks and cash are recorded by hand.',
        missing: 'Card payments on a public server come with the connection of your own account.',
        path: null,
      }
    : {
        id: 'payments',
        name: 'Card payments',
        mode: 'local',
        now: 'Pay links open a local test checkout that signs and posts the same events as the provider. No card is charged.',
        missing: 'Real cards need your own payments account.',
        path: null,
      },
  config.smtpUrl
    ? {
        id: 'mail',
        name: 'E-mail',
        mode: 'connected',
        now: `Mail leaves through your mail server as ${config.mailFrom}.`,
        missing: null,
        path: inLocalMode(paths.localOutbox),
      }
    : {
        id: 'mail',
        name: 'E-mail',
        mode: 'local',
        now: 'Mail stays in the local outbox, with its attachments and links.',
        missing: 'Set SMTP_URL and MAIL_FROM to let it leave.',
        path: inLocalMode(paths.localOutbox),
      },
  {
    id: 'sms',
    name: 'Text messages',
    mode: config.production ? 'off' : 'local',
    now: config.production
      ? 'Texts are not sent.'
      : 'Texts go to a local phone on which you can answer, also with STOP.',
    missing: 'Real texts need a number that the carriers have registered for your business.',
    path: inLocalMode(paths.localPhone),
  },
  {
    id: 'signin',
    name: 'Sign in with Google',
    mode: 'off',
    now: 'Everybody signs in by e-mail and password.',
    missing: 'Google sign-in is not set up on this server.',
    path: null,
  },
  {
    id: 'maps',
    name: 'Maps',
    mode: 'local',
    now: 'An outline of states and counties with a mile grid is drawn from data of our own; it needs no network.',
    missing: 'Street maps need the address of a map style.',
    path: null,
  },
  {
    id: 'travel',
    name: 'Travel times',
    mode: 'local',
    now: 'Drives are estimated from distance with your own factor, and marked as estimated wherever they stand.',
    missing: 'Drives on real roads need a routing engine.',
    path: paths.routeMap,
  },
  {
    id: 'files',
    name: 'Photos and documents',
    mode: 'local',
    now: `They lie in the data folder of this server${config.production ? '' : `: ${config.dataDir}`}.`,
    missing: null,
    path: null,
  },
  {
    id: 'books',
    name: 'QuickBooks',
    mode: 'off',
    now: 'Nothing is sent to your books.',
    missing: 'The connection to QuickBooks is not built yet.',
    path: paths.quickbooks,
  },
  {
    id: 'push',
    name: 'Alerts on phones',
    mode: 'off',
    now: 'The bell and the crew app show what is new while they are open.',
    missing: 'Alerts on locked phones are not built yet.',
    path: null,
  },
]
