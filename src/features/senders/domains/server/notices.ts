import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { paths } from '../../../../shared/paths.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'

type Told = { id: string; address: string; domain: string }
type News = { lapsed?: boolean; live?: boolean; rotated?: boolean; refused?: boolean; old?: boolean }

const wordsOf = ({ address, domain }: Told, news: News): { key: string; title: string; content: string } | null => {
  if (news.lapsed)
    return {
      key: 'lapsed',
      title: `Mail does not leave from ${address} any more`,
      content: `The record of its key is gone from ${domain}. Mail leaves from Swath’s address meanwhile; nothing was lost. Set the record again and press Check.`,
    }
  if (news.refused)
    return {
      key: 'refused',
      title: `The mail server does not take mail from ${address}`,
      content: 'Mail leaves from Swath’s address meanwhile; nothing was lost. Tell support, then press Check.',
    }
  if (news.live)
    return {
      key: 'live',
      title: `Mail now leaves from ${address}`,
      content: 'Its records were found. Answers still come into your messages here.',
    }
  if (news.rotated)
    return {
      key: 'rotated',
      title: `A new key signs the mail from ${address}`,
      content: 'The record of the old one can be taken away a week from now.',
    }
  if (news.old)
    return {
      key: 'old',
      title: `The key that signs the mail from ${address} is a year old`,
      content: 'Make a new one. The old one goes on until the record of the new one is found.',
    }
  return null
}

/** Says on the bell of the office what became of the address, once for each time. */
export const tellTx = async (db: TenantDb, domain: Told, news: News): Promise<void> => {
  const words = wordsOf(domain, news)
  if (!words) return
  await notifyOffice(db, {
    type: 'system',
    title: words.title,
    content: words.content,
    path: `${paths.profile}?section=messages#sender`,
    dedupeKey: `sender:${words.key}:${domain.id}:${clock.iso()}`,
  })
}
