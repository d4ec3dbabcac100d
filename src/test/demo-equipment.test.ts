import { expect, it } from 'vitest'
import { equipCrews } from '../demo/equipment.ts'
import { ownerOf } from '../demo/team.ts'
import { dashboardApi } from '../features/dashboard/contract.ts'
import { checksApi } from '../features/equipment/checks/contract.ts'
import { equipmentApi } from '../features/equipment/contract.ts'
import { aBusiness } from './factories.ts'
import { aCrew } from './field.ts'

it('the demo shows what equipment is for: readings with a pace, service that is due, this morning’s checks and a defect with its photo', async () => {
  const business = await aBusiness()
  for (const name of ['North', 'South', 'West']) {
    const leader = await business.employee({ name: `${name} Leader` })
    const crewId = await aCrew(business, { name, members: [leader] })
    await business.db((db) =>
      db.updateTable('crews').set({ leaderUserId: leader.userId }).where('id', '=', crewId).execute(),
    )
  }
  await equipCrews(await ownerOf(business.id, 'America/New_York'))
  const { items } = await business.api.ok(equipmentApi.list, { query: {} })
  expect(items).toHaveLength(10)
  expect(items.filter(({ due }) => due?.state === 'overdue').map(({ name }) => name)).toEqual(['Mower 1'])
  expect(items.find(({ name }) => name === 'Mower 2')?.due).toMatchObject({ state: 'soon', foreseen: true })
  expect(items.filter(({ doubtedCount }) => doubtedCount > 0)).toEqual([])
  expect(items.filter(({ out }) => out).map(({ name }) => name)).toEqual(['Spare mower'])
  const { crews } = await business.api.ok(checksApi.day, { query: {} })
  expect(crews.map(({ check }) => check?.wrong)).toEqual([0, 0, 1])
  const [defect] = (await business.api.ok(checksApi.defects, { query: {} })).items
  expect([defect?.equipment?.name, defect?.photos.every(({ url }) => url !== null)]).toEqual(['Mower 3', true])
  const { needs } = await business.api.ok(dashboardApi.get, {})
  expect(needs.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['defect', 'service']))
})
