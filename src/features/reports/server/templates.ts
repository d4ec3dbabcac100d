import { absoluteUrl } from '../../../platform/links.ts'
import { button, paragraph, rows, small, writeLetter } from '../../../platform/mail/letter.ts'
import { linkTo } from '../../../shared/links.ts'
import { firstNameOf } from '../../../shared/names.ts'
import type { Report } from '../contract.ts'
import { cellText, spanText } from '../rules.ts'

/** The mail that brings a report. @param person null for an address that is nobody of the business */
export const reportMail = (
  report: Report,
  {
    name,
    business,
    when,
    person,
    savedId,
  }: { name: string; business: string; when: string; person: string | null; savedId: string },
) => ({
  subject: `${name}: ${spanText(report.kind, report)}`,
  ...writeLetter({
    from: business,
    title: name,
    parts: [
      paragraph(person ? `Hello ${firstNameOf(person)},` : 'Hello,'),
      paragraph(
        `here is ${report.title.toLowerCase() === name.toLowerCase() ? 'the report' : `“${report.title}”`} of ${business}, ${spanText(report.kind, report).replace(/^As of/, 'as of')}: ${report.count === 1 ? '1 row' : `${report.count.toLocaleString('en-US')} rows`}. The files are attached.`,
      ),
      ...(report.total
        ? [
            rows(
              ...report.columns.flatMap(({ label, type }, at) => {
                const cell = report.total?.[at] ?? null
                return cell === null ? [] : [{ label, value: cellText(type, cell) }]
              }),
            ),
          ]
        : []),
      ...report.notes.map(small),
      ...(person ? [button('Open the report', absoluteUrl(linkTo.reports({ saved: savedId })))] : []),
      small(
        `It comes by itself: ${when.slice(0, 1).toLowerCase()}${when.slice(1)}. Whoever runs the office of ${business} can change that.`,
      ),
    ],
  }),
})
