import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import { newId } from '../../../../platform/ids.ts'
import { absoluteUrl, trackingToken } from '../../../../platform/links.ts'
import { linksOf, type Tracking } from '../../../../platform/mail/letter.ts'

/** Keeps where the links of a mail lead, and says what the mail carries in their place. A second run finds what the first one kept. */
export const trackMail = async (db: ProspectsDb, messageId: string, text: string): Promise<Tracking> => {
  const urls = linksOf(text).filter((url) => url.length <= 2000)
  if (urls.length > 0)
    await db
      .insertInto('messageLinks')
      .values(urls.map((url) => ({ id: newId(), messageId, url })))
      .onConflict((c) => c.columns(['messageId', 'url']).doNothing())
      .execute()
  const rows = await db.selectFrom('messageLinks').select(['id', 'url']).where('messageId', '=', messageId).execute()
  const hrefs = new Map(rows.map((row) => [row.url, absoluteUrl(`/c/${trackingToken('click', row.id)}`)]))
  return {
    hrefOf: (url) => hrefs.get(url) ?? url,
    pixelUrl: absoluteUrl(`/o/${trackingToken('open', messageId)}.gif`),
  }
}
