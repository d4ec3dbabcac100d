import { expect, it } from 'vitest'
import { z } from 'zod'
import { aBusiness } from '../../test/factories.ts'
import { runDueTasks } from './runner.ts'
import { enqueue, task } from './task.ts'

it('what nobody waits for runs after what came in later and somebody waits for', async () => {
  const ran: string[] = []
  const of = (name: string, more: { comesLater?: true } = {}) =>
    task({
      name,
      payload: z.object({}),
      ...more,
      run: async () => {
        ran.push(name)
      },
    })
  const books = of('test.books', { comesLater: true })
  const mail = of('test.mail')
  const business = await aBusiness()
  await business.db((db) => enqueue(db, books, {}, { key: 'books' }))
  await business.db((db) => enqueue(db, mail, {}, { key: 'mail' }))
  await runDueTasks([books, mail], [])
  expect(ran).toEqual(['test.mail', 'test.books'])
})
