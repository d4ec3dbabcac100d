import { describe, expect, it } from 'vitest'
import { database, ownerPool } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { runDueTasks } from '../../../../platform/tasks/runner.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { theOwner } from '../../../../test/funnel.ts'
import { failedTasksApi } from '../contract.ts'

const aFailingTask = async (businessId: string, error: string) => {
  const name = `test.${newId()}`
  let [broken, done] = [true, 0]
  const run = async () => {
    if (broken) throw new Error(error)
    done += 1
  }
  const payload = { businessId, payload: { note: 'Dana Fields' } }
  await ownerPool().query('select graphile_worker.add_job($1, $2::json, max_attempts => 1)', [
    name,
    JSON.stringify(payload),
  ])
  const work = () => runDueTasks([], [{ name, run }])
  await work()
  return {
    name,
    work,
    fix: () => {
      broken = false
    },
    done: () => done,
  }
}

describe('tasks that gave up', () => {
  it('are listed without what is somebody’s, and do their work when they are tried again', async () => {
    const business = await aBusiness()
    const owner = await theOwner()
    const task = await aFailingTask(business.id, 'no mailbox dana@example.com')
    const { items } = await owner.ok(failedTasksApi.list, {})
    const found = items.find((item) => item.task === task.name)
    expect(found).toMatchObject({ businessId: business.id, attempts: 1, lastError: 'no mailbox …@…' })
    expect(JSON.stringify(items)).not.toMatch(/Dana|dana@/)
    task.fix()
    const left = await owner.ok(failedTasksApi.retry, { params: { id: found?.id ?? '' } })
    expect(left.items.map((item) => item.task)).not.toContain(task.name)
    await task.work()
    expect(task.done()).toBe(1)
    // what is not failed any more can be neither tried nor discarded
    for (const again of [failedTasksApi.retry, failedTasksApi.discard])
      expect((await owner.call(again, { params: { id: found?.id ?? '' } })).status).toBe(404)
  })

  it('are gone for good when discarded, and a waiting task cannot be', async () => {
    const business = await aBusiness()
    const owner = await theOwner()
    const task = await aFailingTask(business.id, 'broken')
    const found = (await owner.ok(failedTasksApi.list, {})).items.find((item) => item.task === task.name)
    await owner.ok(failedTasksApi.discard, { params: { id: found?.id ?? '' } })
    task.fix()
    await task.work()
    expect(task.done()).toBe(0)
    const { rows } = await ownerPool().query<{ id: string }>(
      "select id from graphile_worker.add_job('test.waiting', run_at => now() + interval '1 day')",
    )
    const waiting = String(rows[0]?.id)
    expect((await owner.call(failedTasksApi.discard, { params: { id: waiting } })).status).toBe(404)
    expect((await owner.call(failedTasksApi.retry, { params: { id: 'x' } })).status).toBe(422)
  })

  it('are the product owner’s alone', async () => {
    const business = await aBusiness()
    expect((await business.api.call(failedTasksApi.list, {})).status).toBe(401)
    await expect(
      database()
        .selectNoFrom((eb) => eb.fn('tasks.list_failed', [eb.lit(1)]).as('x'))
        .execute(),
    ).rejects.toThrow(/permission denied/)
  })
})
