import { absoluteUrl } from '../../../platform/links.ts'
import { button, paragraph, type WrittenLetter, writeLetter } from '../../../platform/mail/letter.ts'
import { brand } from '../../../shared/brand.ts'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { paths } from '../../../shared/paths.ts'

/** Told the first time that support opens a business on a grant. */
export const supportOpenedMail = (
  owner: { name: string; businessName: string; timeZone: string },
  until: string,
): WrittenLetter & { subject: string } => {
  const end = `${formatTime(until, owner.timeZone)} on ${formatDay(dayOf(until, owner.timeZone), { long: true })}`
  return {
    subject: `${brand.name} support opened ${owner.businessName}`,
    ...writeLetter({
      from: brand.name,
      parts: [
        paragraph(`Hello ${firstNameOf(owner.name)},`),
        paragraph(
          `${brand.name} support, which you let in, has just opened ${owner.businessName} for the first time. It can look until ${end}, and it can change nothing.`,
        ),
        button('See what it looks at, or end it at once', absoluteUrl(`${paths.profile}#support`)),
      ],
    }),
  }
}
