import { beforeAll, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { renewTestServer } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { rowsRead } from '../../../test/rows-read.ts'
import { materialsApi } from '../contract.ts'

beforeAll(renewTestServer)

it('neither the list nor the first page of moves reads more because there were more of them', async () => {
  const business = await aBusiness()
  const { id } = await business.api.ok(materialsApi.create, {
    body: { kind: 'lime', name: 'Lime', package: 'bag', packageSize: 50, unit: 'lb', onHand: 10 },
  })
  const moves = (count: number) =>
    business.db((db) =>
      db
        .insertInto('materialMoves')
        .values(
          Array.from({ length: count }, () => ({
            businessId: business.id,
            id: newId(),
            materialId: id,
            kind: 'count' as const,
            packages: 0,
            onHandAfter: 10,
            movedAt: clock.iso(),
          })),
        )
        .execute(),
    )
  const read = () =>
    rowsRead(business, ['material_moves'], async () => {
      await business.api.ok(materialsApi.list, { query: {} })
      await business.api.ok(materialsApi.moves, { params: { id }, query: {} })
    })
  await moves(500)
  const before = await read()
  await moves(3000)
  expect(await read()).toBeLessThan(before * 1.5 + 10)
})
