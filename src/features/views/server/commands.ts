import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict, invalid } from '../../../shared/errors.ts'
import type { NewView, ViewChange, ViewRecord } from '../contract.ts'
import { type Hub, isViewKey, viewLimit, viewQueryOf } from '../rules.ts'
import { getView, listViews } from './queries.ts'

const entity = (id: string) => ({ type: 'saved_view', id })

/** Views are counted and named one change at a time, so that two tabs keep neither a doubled name nor one too many. */
const lockViews = (db: TenantDb) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`views:${db.businessId}`}, 0))`.execute(db)

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const refuseTaken = (views: readonly ViewRecord[], name: string, exceptId: string | null): void => {
  const taken = views.find((view) => view.id !== exceptId && sameName(view.name, name))
  if (taken)
    throw invalid([
      {
        path: 'name',
        message: taken.makerName
          ? `${taken.makerName} shares a view of this name. Choose another one.`
          : 'You have a view of this name. Choose another one.',
      },
    ])
}

const putDefault = async (db: TenantDb, actor: Actor, hub: Hub, viewId: string): Promise<void> => {
  await db
    .insertInto('viewDefaults')
    .values({ businessId: db.businessId, userId: actor.userId, hub, viewId })
    .onConflict((c) => c.columns(['businessId', 'userId', 'hub']).doUpdateSet({ viewId }))
    .execute()
}

/** Keeps what a list shows under a name. @throws AppError validation_failed for a name that is taken, state_conflict beyond the limit */
export const saveViewTx = async (db: TenantDb, actor: Actor, draft: NewView): Promise<string> => {
  await lockViews(db)
  const views = await listViews(db, actor, draft.hub)
  refuseTaken(views, draft.name, null)
  if (views.filter((view) => view.makerName === null).length >= viewLimit)
    throw conflict(
      `You keep ${viewLimit} views of this list, the most there can be. Delete one first. Nothing was changed.`,
    )
  const id = newId()
  const now = clock.iso()
  const { hub, name, shared, isDefault } = draft
  const query = JSON.stringify(viewQueryOf(hub, (key) => draft.query[key]))
  await db
    .insertInto('savedViews')
    .values({
      businessId: db.businessId,
      id,
      hub,
      name,
      query,
      shared,
      createdBy: actor.userId,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  if (isDefault) await putDefault(db, actor, hub, id)
  await audit(db, actor, 'view.create', entity(id), { after: { hub, name, shared } })
  await publishChange(db, 'views', [id])
  return id
}

export const saveView = (actor: Actor, draft: NewView): Promise<ViewRecord> =>
  withTenant(actor, async (db) => getView(db, actor, await saveViewTx(db, actor, draft)))

export const changeView = (actor: Actor, id: string, { version, ...change }: ViewChange): Promise<ViewRecord> =>
  withTenant(actor, async (db) => {
    await lockViews(db)
    const view = await getView(db, actor, id)
    requireVersion(view, version, 'this view')
    const stranger = Object.keys(change.query ?? {}).find((key) => !isViewKey(view.hub, key))
    if (stranger) throw invalid([{ path: `query.${stranger}`, message: 'This list has no such filter.' }])
    refuse(
      change.shared !== undefined && change.shared !== view.shared && !view.can.share
        ? `Only ${view.makerName} can stop sharing this view. Nothing was changed.`
        : null,
    )
    // One name once: of those who see it, too, when it is shared.
    if (change.name !== undefined || (change.shared && !view.shared))
      refuseTaken(await listViews(db, actor, view.hub), change.name ?? view.name, id)
    const { query, ...plain } = change
    await db
      .updateTable('savedViews')
      .set({
        ...plain,
        ...(query ? { query: JSON.stringify(viewQueryOf(view.hub, (key) => query[key])) } : {}),
        version: view.version + 1,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'view.update', entity(id), {
      before: { name: view.name, shared: view.shared },
      after: plain,
    })
    await publishChange(db, 'views', [id])
    return getView(db, actor, id)
  })

export const removeView = (actor: Actor, id: string): Promise<{ id: string }> =>
  withTenant(actor, async (db) => {
    await lockViews(db)
    const { hub, name, shared } = await getView(db, actor, id)
    await db.deleteFrom('savedViews').where('businessId', '=', db.businessId).where('id', '=', id).execute()
    await audit(db, actor, 'view.delete', entity(id), { before: { hub, name, shared } })
    await publishChange(db, 'views', [id])
    return { id }
  })

/** What a person's list opens with. */
export const setDefaultView = (actor: Actor, hub: Hub, viewId: string | null): Promise<{ items: ViewRecord[] }> =>
  withTenant(actor, async (db) => {
    if (viewId) {
      const view = await getView(db, actor, viewId)
      if (view.hub !== hub) throw invalid([{ path: 'viewId', message: 'This view is of another list.' }])
      await putDefault(db, actor, hub, viewId)
    } else
      await db
        .deleteFrom('viewDefaults')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', actor.userId)
        .where('hub', '=', hub)
        .execute()
    await publishChange(db, 'views', viewId ? [viewId] : [])
    return { items: await listViews(db, actor, hub) }
  })
