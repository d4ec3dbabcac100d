import { absoluteUrl } from '../../../platform/links.ts'
import { brand } from '../../../shared/brand.ts'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { paths } from '../../../shared/paths.ts'

/** Told the first time that support opens a business on a grant. */
export const supportOpenedMail = (
  owner: { name: string; businessName: string; timeZone: string },
  until: string,
): { subject: string; text: string } => {
  const end = `${formatTime(until, owner.timeZone)} on ${formatDay(dayOf(until, owner.timeZone), { long: true })}`
  return {
    subject: `${brand.name} support opened ${owner.businessName}`,
    text: [
      `Hello ${owner.name.split(' ')[0] ?? owner.name},`,
      `you let ${brand.name} support in, and it has just opened ${owner.businessName} for the first time. It can look until ${end}, and it can change nothing.`,
      `What it looks at, and the button that ends it at once: ${absoluteUrl(`${paths.profile}#support`)}`,
    ]
      .join('\n\n')
      .concat('\n'),
  }
}
