import { button, paragraph, small, type WrittenLetter, writeLetter } from '../../../../platform/mail/letter.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { contactOf, type Sender } from '../../../businesses/rules.ts'
import { linkDays } from '../rules.ts'

/** The mail with which a business asks for a card. */
export const cardLinkMail = (
  { name, url, mandate, thing }: { name: string; url: string; mandate: string; thing: string },
  sender: Sender,
): WrittenLetter & { subject: string } => ({
  subject: `${sender.name}: keep ${thing} for your invoices`,
  ...writeLetter({
    from: sender.name,
    brandColor: sender.brandColor,
    title: 'Autopay',
    parts: [
      paragraph(`Hello ${firstNameOf(name)},`),
      paragraph(
        `You can leave ${thing} that pays your invoices from ${sender.name} by itself. Nothing is charged now, and the number stays with the payment provider.`,
      ),
      button(`Leave ${thing}`, url),
      paragraph(`What you would agree to: “${mandate}”`),
      small([`The link is good for ${linkDays} days.`, sender.name, contactOf(sender)].filter(Boolean).join('\n')),
    ],
  }),
})
