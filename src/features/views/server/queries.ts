import type { Actor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { admits } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { type ViewRecord, viewsApi } from '../contract.ts'
import type { Hub, ViewQuery } from '../rules.ts'

/** More than every person of an office keeps. */
const most = 500

const visible = (db: TenantDb, userId: string) =>
  db
    .selectFrom('savedViews as v')
    .leftJoin('users as u', (join) => join.onRef('u.businessId', '=', 'v.businessId').onRef('u.id', '=', 'v.createdBy'))
    .leftJoin('viewDefaults as d', (join) =>
      join.onRef('d.businessId', '=', 'v.businessId').onRef('d.viewId', '=', 'v.id').on('d.userId', '=', userId),
    )
    .where('v.businessId', '=', db.businessId)
    .where((eb) => eb.or([eb('v.shared', '=', true), eb('v.createdBy', '=', userId)]))
    .select(['v.id', 'v.hub', 'v.name', 'v.query', 'v.shared', 'v.createdBy', 'v.version'])
    .select(['u.name as makerName', 'd.viewId as defaultId'])

type Row = Awaited<ReturnType<ReturnType<typeof visible>['execute']>>[number]

const viewFor = (actor: Actor, { createdBy, makerName, defaultId, query, ...row }: Row): ViewRecord => {
  const isOwn = createdBy === actor.userId
  const update = admits(actor, viewsApi.update)
  return {
    ...row,
    query: query as ViewQuery,
    makerName: isOwn ? null : (makerName ?? 'Somebody'),
    isDefault: defaultId !== null,
    // The office keeps what is shared in order; to take it out of everybody's sight, leaving it to its maker, is the maker's.
    can: { update, share: update && isOwn, remove: admits(actor, viewsApi.remove) },
  }
}

/** The views of a list that a person has: their own by name, then the shared ones of others. */
export const listViews = async (db: TenantDb, actor: Actor, hub: Hub): Promise<ViewRecord[]> => {
  const rows = await visible(db, actor.userId)
    .where('v.hub', '=', hub)
    .orderBy((eb) => eb('v.createdBy', '<>', actor.userId))
    .orderBy((eb) => eb.fn('lower', ['v.name']))
    .orderBy('v.id')
    .limit(most)
    .execute()
  return rows.map((row) => viewFor(actor, row))
}

/** @throws AppError not_found, also for a view that somebody else keeps for themselves */
export const getView = async (db: TenantDb, actor: Actor, id: string): Promise<ViewRecord> => {
  const row = await visible(db, actor.userId).where('v.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('view')
  return viewFor(actor, row)
}
