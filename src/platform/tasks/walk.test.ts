import { expect, it } from 'vitest'
import { aBusiness } from '../../test/factories.ts'
import { forEachBusiness } from './walk.ts'

it('one business that fails stops no other, and the task is told at the end', async () => {
  const [first, broken, last] = [await aBusiness(), await aBusiness(), await aBusiness()]
  const seen: string[] = []
  const walk = forEachBusiness('the walk', async ({ businessId }) => {
    if (businessId === broken.id) throw new Error('broken')
    seen.push(businessId)
  })
  await expect(walk).rejects.toThrow(/the walk failed for 1 of \d+/)
  expect(seen).toEqual(expect.arrayContaining([first.id, last.id]))
})
