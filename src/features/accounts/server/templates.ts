import { button, paragraph, type WrittenLetter, writeLetter } from '../../../platform/mail/letter.ts'
import { brand } from '../../../shared/brand.ts'
import { firstNameOf } from '../../../shared/names.ts'

/** A mail about somebody's account: who sends it is always Swath, and its links are never counted or redirected. */
export type AccountMail = WrittenLetter & { subject: string }

type Parts = {
  subject: string
  hello: string
  lines: string[]
  button?: { label: string; url: string }
  after?: string[]
}

const write = ({ subject, hello, lines, button: action, after = [] }: Parts): AccountMail => ({
  subject,
  ...writeLetter({
    from: brand.name,
    parts: [
      paragraph(`Hello ${firstNameOf(hello)},`),
      ...lines.map(paragraph),
      ...(action ? [button(action.label, action.url)] : []),
      ...after.map(paragraph),
    ],
  }),
})

const ifNotYou = 'If this was not you, reset your password now and tell the owner of your business.'

export const mails = {
  verifyEmail: (name: string, url: string) =>
    write({
      subject: 'Confirm your e-mail address',
      hello: name,
      lines: [
        'Welcome to Swath. Please confirm that this address is yours, so that you can always get back into your account.',
      ],
      button: { label: 'Confirm my address', url },
      after: ['The link works once, for 7 days. If you did not open an account, you can ignore this mail.'],
    }),
  accountReady: (name: string, businessName: string, url: string) =>
    write({
      subject: `Your Swath account for ${businessName} is ready`,
      hello: name,
      lines: [`We opened an account for ${businessName}. Choose a password, and your office is there.`],
      button: { label: 'Choose a password', url },
      after: [
        'The link works once, for 7 days; after that, ask for a new password with this address. If you did not expect this, ignore this mail: without the link nobody gets in.',
      ],
    }),
  registeredAgain: (name: string, signInUrl: string, forgotUrl: string) =>
    write({
      subject: 'You already have an account',
      hello: name,
      lines: ['Somebody tried to open an account with this address. It already has one, so nothing was changed.'],
      button: { label: 'Sign in', url: signInUrl },
      after: [
        `If you forgot your password, ask for a new one: ${forgotUrl}`,
        'If this was not you, there is nothing to do.',
      ],
    }),
  resetPassword: (name: string, url: string) =>
    write({
      subject: 'Reset your password',
      hello: name,
      lines: ['Somebody asked for a new password for your account.'],
      button: { label: 'Set a new password', url },
      after: [
        'The link works once, for one hour. If this was not you, ignore this mail: your password stays as it is.',
      ],
    }),
  signIn: (name: string, url: string) =>
    write({
      subject: 'Your sign-in link',
      hello: name,
      lines: ['Here is the link you asked for. It signs you in without a password.'],
      button: { label: 'Sign in', url },
      after: ['It works once, for 15 minutes. If this was not you, ignore this mail.'],
    }),
  passwordChanged: (name: string, how: 'changed' | 'reset') =>
    write({
      subject: how === 'reset' ? 'Your password was reset' : 'Your password was changed',
      hello: name,
      lines: [
        how === 'reset'
          ? 'Your password was reset with a link from your mail. All devices were signed out.'
          : 'Your password was changed. All your other devices were signed out.',
      ],
      after: [ifNotYou],
    }),
  changeEmail: (name: string, url: string, business: string) =>
    write({
      subject: 'Confirm your new e-mail address',
      hello: name,
      lines: [
        `You want to sign in to ${business} with this address from now on. Until you confirm it, the old one stays.`,
      ],
      button: { label: 'Use this address', url },
      after: ['The link works once, for 24 hours. If this was not you, ignore this mail.'],
    }),
  changeToUsedEmail: (name: string, signInUrl: string) =>
    write({
      subject: 'This address already has an account',
      hello: name,
      lines: ['Somebody wanted to use this address for another account. It already has one, so nothing was changed.'],
      button: { label: 'Sign in', url: signInUrl },
      after: ['If this was not you, there is nothing to do.'],
    }),
  emailChangeAsked: (name: string, next: string) =>
    write({
      subject: 'Your e-mail address is about to change',
      hello: name,
      lines: [
        `Your account is to use ${next} from now on. This happens once the link in a mail to that address is opened; until then nothing changes.`,
      ],
      after: [ifNotYou],
    }),
  emailChanged: (name: string, next: string) =>
    write({
      subject: 'Your e-mail address was changed',
      hello: name,
      lines: [`You sign in with ${next} from now on. This address is no longer used for your account.`],
      after: [ifNotYou],
    }),
  ownershipMoved: (name: string, business: string, who: { from: string; to: string }) =>
    write({
      subject: `${business} has a new owner`,
      hello: name,
      lines: [
        `${who.from} handed ${business} over to ${who.to}. ${who.to} is the owner from now on; ${who.from} stays as an Admin.`,
      ],
      after: ['If this is a mistake, the new owner can hand it back under Profile.'],
    }),
  closed: (name: string, business: string, until: string, isOwner: boolean) =>
    write({
      subject: `${business} was closed`,
      hello: name,
      lines: [
        `${business} was closed on Swath. Nobody can sign in to it, and all its records are deleted after ${until}.`,
        isOwner
          ? 'Until then you can open it again: sign in as always.'
          : 'Until then its owner can open it again by signing in.',
      ],
    }),
}
