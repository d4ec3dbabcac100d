import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../../shared/can.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { ConversationRecord, ThreadPage } from '../../conversations/contract.ts'
import { type ConversationAction, conversationRefusals, stateOf } from '../../conversations/rules.ts'
import { inOffice, readThread } from '../../conversations/server/queries.ts'
import { numberConversationsApi } from '../contract.ts'

const needs: Record<ConversationAction, Need> = numberConversationsApi

/** There is a conversation with a number only where something was texted with it and it is nobody's we know. @throws not_found */
export const requireNumber = async (db: TenantDb, address: string): Promise<void> => {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('address', '=', address)
    .where('customerId', 'is', null)
    .where('userId', 'is', null)
    .where('channel', '=', 'sms')
    .where((eb) => eb('entityType', 'is distinct from', 'portal'))
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFound('conversation')
}

/** What is done with the conversation of an unknown number. @throws not_found */
export const getNumberConversation = async (
  db: TenantDb,
  actor: Actor,
  address: string,
): Promise<ConversationRecord> => {
  await requireNumber(db, address)
  const row = await db
    .selectFrom('numberConversations as v')
    .leftJoin('users as u', (join) =>
      join.onRef('u.businessId', '=', 'v.businessId').onRef('u.id', '=', 'v.assigneeId').on(inOffice('u')),
    )
    .leftJoin('users as l', (join) =>
      join.onRef('l.businessId', '=', 'v.businessId').onRef('l.id', '=', 'v.assigneeId'),
    )
    .leftJoin('users as s', (join) => join.onRef('s.businessId', '=', 'v.businessId').onRef('s.id', '=', 'v.snoozedBy'))
    .leftJoin('users as d', (join) => join.onRef('d.businessId', '=', 'v.businessId').onRef('d.id', '=', 'v.closedBy'))
    .select([
      'u.id as assigneeId',
      'u.name as assigneeName',
      'l.name as givenName',
      'v.snoozedUntil',
      's.name as snoozedByName',
      'v.closedAt',
      'd.name as closedByName',
      'v.unanswered',
      'v.version',
    ])
    .where('v.businessId', '=', db.businessId)
    .where('v.address', '=', address)
    .executeTakeFirst()
  const state = row ? stateOf(row, clock.nowMs()) : 'open'
  return {
    can: canOf(actor, needs, conversationRefusals, { state }),
    customerId: null,
    address,
    state,
    unanswered: row?.unanswered ?? false,
    assignee: row?.assigneeId ? { id: row.assigneeId, name: row.assigneeName ?? '' } : null,
    leftName: row && row.assigneeId === null ? row.givenName : null,
    snoozedUntil: state === 'snoozed' ? (row?.snoozedUntil ?? null) : null,
    snoozedByName: state === 'snoozed' ? (row?.snoozedByName ?? null) : null,
    closedAt: row?.closedAt ?? null,
    closedByName: row?.closedAt ? row.closedByName : null,
    version: row?.version ?? 0,
  }
}

/** Texts and notes of a number, newest first; texts also where it is a customer's by now, which an older link does not know. @throws not_found */
export const listNumberThread = async (
  db: TenantDb,
  actor: Actor,
  address: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<ThreadPage> => {
  const found = await readThread(
    db,
    actor,
    { messages: sql`m.address = ${address}`, notes: sql`n.address = ${address}` },
    query,
  )
  if (found.items.length === 0 && query.cursor === undefined) throw notFound('conversation')
  return found
}
