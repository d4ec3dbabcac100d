import { button, paragraph, small, writeLetter } from '../../../../platform/mail/letter.ts'
import { brand } from '../../../../shared/brand.ts'
import { firstNameOf } from '../../../../shared/names.ts'

/** The mail with the link that connects Google to an account. */
export const connectMail = (name: string, url: string) => ({
  subject: `Connect Google to your ${brand.name} sign-in`,
  ...writeLetter({
    from: brand.name,
    parts: [
      paragraph(`Hello ${firstNameOf(name)},`),
      paragraph(`Somebody signed in with Google as this address and wants to use that for your ${brand.name} sign-in.`),
      button('Connect Google', url),
      small('The link works once and for an hour. If that was not you, do nothing: your sign-in stays as it is.'),
    ],
  }),
})
