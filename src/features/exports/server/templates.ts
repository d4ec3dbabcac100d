import { absoluteUrl } from '../../../platform/links.ts'
import { button, paragraph, writeLetter } from '../../../platform/mail/letter.ts'
import { brand } from '../../../shared/brand.ts'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { firstNameOf } from '../../../shared/names.ts'

/** The way to everything of a business that was closed. */
export const exportReady = (
  name: string,
  business: string,
  until: Day,
  archives: readonly { name: string; path: string }[],
) => ({
  subject: `Everything of ${business}, to keep`,
  ...writeLetter({
    from: brand.name,
    parts: [
      paragraph(`Hello ${firstNameOf(name)},`),
      paragraph(
        `${business} is closed. Here is all of it: every record as CSV, every photo and paper, and files that bring your customers and jobs in again.`,
      ),
      ...archives.map((archive) => button(`Download ${archive.name}`, absoluteUrl(archive.path))),
      paragraph(
        `The link works without signing in until ${formatDay(until, { year: true })}. It opens everything: forward it to nobody you would not hand your files.`,
      ),
    ],
  }),
})
