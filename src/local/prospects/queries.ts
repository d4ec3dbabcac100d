import { withProspects } from '../../platform/db/prospects.ts'
import { conflict, notFound } from '../../shared/errors.ts'

/** The newest messages with prospects, and what their funnel wrote to ourselves. */
export const listLocalMessages = () =>
  withProspects(async (db) => {
    const rows = await db
      .selectFrom('messages')
      .leftJoin('leads', 'leads.id', 'messages.leadId')
      .select([
        'messages.id',
        'leads.id as leadId',
        'leads.name as name',
        'messages.channel',
        'messages.direction',
        'messages.address',
        'messages.subject',
        'messages.bodyText as text',
        'messages.bodyHtml as html',
        'messages.status',
        'messages.createdAt',
        'messages.attachments',
      ])
      .orderBy('messages.createdAt', 'desc')
      .orderBy('messages.id', 'desc')
      .limit(200)
      .execute()
    return rows.map(({ attachments, ...row }) => ({
      ...row,
      files: (attachments as { name: string; content: string }[]).map(({ name, content }) => ({ name, content })),
      channel: row.channel,
      direction: row.direction,
    }))
  })

/** The number of a lead. @throws not_found, state_conflict when it takes no texts */
export const getLeadPhone = (leadId: string): Promise<string> =>
  withProspects(async (db) => {
    const row = await db.selectFrom('leads').select('phoneE164').where('id', '=', leadId).executeTakeFirst()
    if (!row) throw notFound('lead')
    if (!row.phoneE164) throw conflict('This number takes no texts.')
    return row.phoneE164
  })

/** A mail to a prospect. @throws not_found */
export const getSentMail = (messageId: string): Promise<{ address: string; subject: string }> =>
  withProspects(async (db) => {
    const row = await db
      .selectFrom('messages')
      .select(['address', 'subject'])
      .where('id', '=', messageId)
      .where('channel', '=', 'email')
      .where('direction', '=', 'outbound')
      .executeTakeFirst()
    if (!row) throw notFound('message')
    return row
  })
