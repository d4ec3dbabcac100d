import { expect, it } from 'vitest'
import { runCampaigns } from '../demo/campaigns.ts'
import { ownerOf } from '../demo/team.ts'
import { campaignsApi } from '../features/campaigns/contract.ts'
import { campaignResultsApi } from '../features/campaigns/results/contract.ts'
import { messagesApi } from '../features/messages/contract.ts'
import { receiveText } from '../features/messages/server/inbound/commands.ts'
import { newId } from '../platform/ids.ts'
import { runTasks } from './api.ts'
import { aBusiness } from './factories.ts'
import { aVisit } from './field.ts'

it('the demo has a campaign with what it brought, one that waits for its day and one that is written', async () => {
  const business = await aBusiness()
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ street: '4 Mill Ln', city: 'Savannah', state: 'GA', zip: '31401', phone: '+19125550100' })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const ids: string[] = []
  for (let n = 0; n < 24; n++) {
    const { customerId } = await aVisit(business, { street: `${n + 101} Oak St` })
    ids.push(customerId)
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ email: `ann${n}@test.swath.test`, phone: `+191255507${n + 10}` })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute(),
    )
  }
  for (const n of [0, 1, 2, 3])
    await receiveText(business.id, {
      from: `+191255507${n + 10}`,
      body: 'The back beds, too?',
      provider: 'test',
      providerId: newId(),
    })
  await runCampaigns(await ownerOf(business.id, 'America/New_York'))
  // what the demo left to be worked off changes nothing of it
  await runTasks()
  // an offer of weeks ago is nobody's newest word
  for (const customerId of ids.slice(0, 4)) await business.api.ok(messagesApi.read, { body: { customerId } })
  const talks = await business.api.ok(messagesApi.conversations, { query: { state: 'waiting' } })
  expect(talks.items.map(({ last }) => last.text)).toEqual(Array(4).fill('The back beds, too?'))
  const { items } = await business.api.ok(campaignsApi.list, { query: {} })
  expect(items.map(({ name, status }) => [name, status])).toEqual([
    ['Leaf removal', 'draft'],
    ['Refer a neighbor', 'scheduled'],
    ['Fall aeration & overseeding', 'finished'],
  ])
  const sent = items[2]
  const results = await business.api.ok(campaignResultsApi.results, { params: { id: sent?.id ?? '' } })
  expect(results).toMatchObject({ chosen: 24, heldOut: 2, bounced: 1, unsubscribed: 1, onTheWay: 0, waiting: 0 })
  // what left arrived or came back
  expect(results.sent).toBe(results.delivered + results.bounced)
  expect([results.sent, results.delivered]).toEqual([22, 21])
  expect(results.clicked).toBeGreaterThan(0)
  expect(results.test?.winner).not.toBeNull()
})
