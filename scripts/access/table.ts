import { endpointPlugins } from '../../src/app-endpoints.ts'
import { localEndpointPlugins } from '../../src/local/endpoints.ts'
import { permissionsOf } from '../../src/shared/callers.ts'
import { type Access, callersOf, type Endpoint } from '../../src/shared/endpoint.ts'
import { permissionPresets, permissions, permissionsFor } from '../../src/shared/roles.ts'

const who: Record<Access, string> = {
  public: 'everybody',
  member: 'Owner, Admin, Employee',
  office: 'Owner, Admin',
  owner: 'Owner',
  productOwner: 'product owner',
  support: 'support, let in by the Owner',
  tour: 'a visitor of the tour',
  webhook: 'a provider, signed',
  refresh: 'the refresh cookie, own Origin',
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  row(head),
  row(head.map(() => '---')),
  ...rows.map(row),
]

const rowOf = (endpoint: Endpoint): string[] => [
  `\`${endpoint.method} ${endpoint.path}\``,
  callersOf(endpoint)
    .map((caller) => who[caller])
    .join('; '),
  permissionsOf(endpoint).join(', '),
  endpoint.needsSubscription ? 'needed' : '',
  [
    endpoint.idempotent ? 'runs once per key' : '',
    endpoint.beforeSecondFactor ? 'before the second step is set up' : '',
    endpoint.form ? 'takes a form' : '',
  ]
    .filter(Boolean)
    .join(', '),
]

/** docs/access.md: who may call what, written from the contracts that the guard reads and the access-matrix test walks. */
export const accessPage = (): string =>
  [
    '# Who may call what',
    '',
    'Made by `npm run docs:access` from the contracts. Do not edit. The guard (`src/platform/http/access.ts`) reads the same contracts, and `src/test/access-matrix.test.ts` asks every endpoint as everybody it is not for.',
    '',
    "No session is 401. A role or permission that does not fit is 403. Another business's id is 404. A call that needs a subscription is 402 without one. An Owner has every permission. Fields that a person may not see are null: decision 024.",
    '',
    '## Permissions and presets',
    '',
    ...table(
      ['Preset', ...permissions],
      Object.entries(permissionPresets).map(([preset, given]) => [
        preset,
        ...permissions.map((permission) => (given.includes(permission) ? 'yes' : '')),
      ]),
    ),
    '',
    `An Employee can only have: ${permissionsFor('Employee').join(', ')}. An Admin without a permission reads what needs none.`,
    ...[...endpointPlugins, ...localEndpointPlugins].flatMap((plugin) => [
      '',
      `## ${plugin.feature}`,
      '',
      ...table(
        ['Endpoint', 'Who', 'Permission', 'Subscription', 'Also'],
        Object.values(plugin.contract).map((endpoint: Endpoint) => rowOf(endpoint)),
      ),
    ]),
    '',
  ].join('\n')
