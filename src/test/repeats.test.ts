import { describe, expect, it } from 'vitest'
import { endpointPlugins } from '../app-endpoints.ts'
import { jobsApi } from '../features/jobs/contract.ts'
import { newId } from '../platform/ids.ts'
import { takesAny } from '../shared/endpoint.ts'
import { aBusiness } from './factories.ts'
import { aVisit } from './field.ts'

/** Changes by signed-in people that may come twice without a key, by why. All others answer a repeat with the first answer. */
const unkeyed = {
  'reads, or computes what is there': [
    'customers.revealGateCode',
    'crewapp.gateCode',
    'conflicts.answers',
    'services.quotePrice',
    'jobs.previewChange',
    'season.check',
    'job-edits.preview',
    'prices.preview',
    'price-letters.preview',
    'billingplans.preview',
    'billingplans.previewChange',
    'renewals.candidates',
    'imports.check',
    'mailings.preview',
    'campaigns.preview',
    'segments.count',
    'geocoding.find',
    'travel.ways',
    'quickbooks.checkMonth',
  ],
  'sets what it was given, and says the same each time': [
    'messages.read',
    'notifications.markRead',
    'chat.read',
    'crewapp.setLanguage',
    'imports.setMapping',
    'invoices.printMany',
    'businesses.setLogo',
    'campaigns.addPicture',
    'exemptions.setFile',
    'geocoding.again',
    'routes.stopRun',
    'season.stop',
    'twoFactor.require',
    'support.leave',
    'coupons.end',
    'sprint.admit',
    'sprint.queue',
    'sprint.decline',
    'sprint.confirmFee',
    'sprint.waiveFee',
    'sprint.tick',
  ],
  'a second search takes the place of the first': ['routes.optimize', 'routes.rain', 'routes.crewOut', 'season.start'],
  'an id, a code or an address of its own makes it one': [
    'crewapp.commands',
    'crewapp.addPhoto',
    'crewapp.addCheckPhoto',
    'files.addPiece',
    'chat.addPhoto',
    'checks.addPhoto',
    'documents.add',
    'positions.add',
    'expenses.addPhoto',
    'expenses.handInPhoto',
    'quotes.addNotedPhoto',
    'coupons.create',
    'portal.createAccount',
    'leadAccount.invite',
    'failedTasks.retry',
    'failedTasks.discard',
  ],
  'the provider knows what it did': [
    'quickbooks.repair',
    'quickbooks.connect',
    'quickbooks.finish',
    'payments.connectAccount',
    'payments.syncAccount',
    'subscriptions.createCheckout',
    'subscriptions.cancel',
    'subscriptions.resume',
    'subscriptions.portal',
    'subscriptions.conversion',
  ],
  'asks for a secret, answers one, or ends the session that a repeat would need': [
    'me.signOutEverywhere',
    'closing.close',
    'identity.connect',
    'identity.disconnect',
    'twoFactor.begin',
    'twoFactor.confirm',
    'twoFactor.renew',
    'twoFactor.disable',
    'owner.beginTwoFactor',
    'owner.confirmTwoFactor',
    'owner.renewRecoveryCodes',
    'owner.disableTwoFactor',
    'support.makeCode',
  ],
}

const changes = endpointPlugins.flatMap(({ contract, feature }) =>
  Object.entries(contract).flatMap(([name, endpoint]) =>
    endpoint.method !== 'GET' && takesAny(endpoint, 'member', 'office', 'owner', 'productOwner', 'support')
      ? [{ name: `${feature}.${name}`, endpoint }]
      : [],
  ),
)

describe('a change whose answer was lost', () => {
  it('runs once per key, or is named with why it need not', () => {
    const without = changes.filter(({ endpoint }) => !endpoint.idempotent).map(({ name }) => name)
    expect(without.sort()).toEqual(Object.values(unkeyed).flat().sort())
  })

  it.each(
    changes.filter(
      ({ endpoint }) => endpoint.body && 'shape' in endpoint.body && 'version' in (endpoint.body.shape as object),
    ),
  )('$name has a version, so a repeat would be told of its own change', ({ name, endpoint }) =>
    expect(endpoint.idempotent || name === 'jobs.previewChange').toBeTruthy(),
  )

  it('is answered as it was, and not as a change by somebody else', async () => {
    const own = await aBusiness()
    const { jobId } = await aVisit(own)
    const { version } = await own.api.ok(jobsApi.get, { params: { id: jobId } })
    const save = (key: string) =>
      own.api.call(
        jobsApi.update,
        { params: { id: jobId }, body: { version, title: 'Mow and edge' } },
        { 'idempotency-key': key },
      )
    const key = newId()
    const first = await save(key)
    expect([first.status, first.body.version]).toEqual([200, version + 1])
    const again = await save(key)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect((await save(newId())).error.code).toBe('version_conflict')
  })
})
