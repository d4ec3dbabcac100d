import { expect, it } from 'vitest'
import { fillFunnel } from '../demo/leads.ts'
import { ownerOf } from '../demo/team.ts'
import { businessLeadsApi as leadsApi } from '../features/leads/contract.ts'
import { runTasks } from './api.ts'
import { aBusiness } from './factories.ts'

it('the demo has a lead with two requests, a second house, a missed call and a mailed lead', async () => {
  const business = await aBusiness()
  await fillFunnel(await ownerOf(business.id, 'America/New_York'))
  await runTasks()
  const { items } = await business.api.ok(leadsApi.list, { query: {} })
  expect(items.find(({ name, street }) => name === 'Nell Ashby' && street.startsWith('61'))).toMatchObject({
    requestCount: 2,
    tied: { name: 'Nell Ashby' },
  })
  expect(items.find(({ phone }) => phone === '+19125550232')).toMatchObject({ wants: 'Missed call', source: 'call' })
  expect(items.find(({ name }) => name === 'Priya Nair')).toMatchObject({ email: 'priya.nair@example.com' })
  expect(items.find(({ name }) => name === 'Owen Castle')).toMatchObject({ source: 'email', stage: 'new' })
})
