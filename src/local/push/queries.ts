import { listBusinessIds } from '../../features/businesses/server/queries.ts'
import { PushAbout } from '../../features/push/contract.ts'
import { pushWords } from '../../features/push/rules.ts'
import { withTenant } from '../../platform/db/tenant.ts'

export type PlayedPush = { kind: string; name: string; title: string; body: string; path: string; at: string }

const newest = 30

/** What the devices of this computer's businesses would have shown, the newest first. */
export const listPlayedPushes = async (): Promise<PlayedPush[]> => {
  const pushes: PlayedPush[] = []
  for (const businessId of await listBusinessIds()) {
    const rows = await withTenant({ businessId, readOnly: true }, (db) =>
      db
        .selectFrom('pushSends as s')
        .innerJoin('pushDevices as d', (j) =>
          j.onRef('d.businessId', '=', 's.businessId').onRef('d.id', '=', 's.deviceId'),
        )
        .innerJoin('users as u', (j) => j.onRef('u.businessId', '=', 'd.businessId').onRef('u.id', '=', 'd.userId'))
        .where('s.businessId', '=', db.businessId)
        .where('s.result', '=', 'local')
        .orderBy('s.createdAt', 'desc')
        .limit(newest)
        .select(['d.kind', 'd.language', 'u.name', 's.about', 's.path', 's.createdAt as at'])
        .execute(),
    )
    for (const { kind, language, name, about, path, at } of rows) {
      const read = PushAbout.safeParse(about)
      if (!read.success) continue
      pushes.push({ kind, name, ...pushWords(read.data, language === 'es' ? 'es' : 'en'), path: path ?? '/', at })
    }
  }
  return pushes.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, newest)
}
