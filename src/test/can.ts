import { expect } from 'vitest'
import { supportApi } from '../features/support/contract.ts'
import { type Api, apiWith, stranger } from './api.ts'
import type { TestBusiness } from './factories.ts'
import { anOwner } from './prospects.ts'

/** Support, let into a business for four hours. */
export const supportIn = async (business: TestBusiness): Promise<Api> => {
  const { grant } = await business.api.ok(supportApi.grant, { body: { hours: 4, note: '' } })
  const { code } = await (await anOwner()).ok(supportApi.makeCode, { params: { id: grant?.id ?? '' } })
  return apiWith((await stranger.ok(supportApi.open, { body: { code } })).token)
}

export type Acts<Action extends string> = Record<
  Action,
  (api: Api, id: string) => Promise<{ status: number; text: string }>
>

/**
 * What somebody may do with a record: every action is tried on a record as `make` makes it and has to answer as `can` of that record said
 * before. Nobody may do anything with a record that they may not read.
 * @returns the actions that were done, in the order of `acts`
 */
export const doneOf = async <Action extends string>(
  api: Api,
  make: () => Promise<string>,
  read: (api: Api, id: string) => Promise<{ status: number; body: { can: Record<Action, boolean> } }>,
  acts: Acts<Action>,
): Promise<Action[]> => {
  const done: Action[] = []
  let id = await make()
  for (const action of Object.keys(acts) as Action[]) {
    const record = await read(api, id)
    if (record.status === 200) expect(Object.keys(record.body.can).sort()).toEqual(Object.keys(acts).sort())
    const can = record.status === 200 && record.body.can[action]
    const { status, text } = await acts[action](api, id)
    expect([200, 403, 409], `${action}: ${text}`).toContain(status)
    expect({ action, can: status === 200 }, text).toEqual({ action, can })
    if (status !== 200) continue
    done.push(action)
    // what was refused changed nothing: the next action is tried on the same
    id = await make()
  }
  return done
}
