import { brand } from '../../../shared/brand.ts'
import { paths } from '../../../shared/paths.ts'
import { telHref } from '../rules.ts'
import { type LegalPart, LegalText } from './LegalText.tsx'
import { sprintRules } from './SprintTerms.tsx'

const parts: readonly LegalPart[] = [
  {
    id: 'agreement',
    title: 'What this is',
    body: (
      <>
        <p>
          These terms are the agreement between {brand.name} (“we”) and the business that uses it (“you”). You accept
          them when you make an account. The person who does so must be allowed to sign for the business.
        </p>
        <p>
          People you invite, such as office staff and crew members, use {brand.name} under your account, and you answer
          for what they do with it.
        </p>
      </>
    ),
  },
  {
    id: 'service',
    title: 'The service',
    body: (
      <p>
        {brand.name} is software for planning routes and schedules, invoicing, keeping customers and sending messages,
        with an app for crews. Planned routes and times are proposals: you decide what is driven, by whom, and whether
        it is safe.
      </p>
    ),
  },
  {
    id: 'setup-sprint',
    title: 'Setup Sprint and onboarding fee',
    body: (
      <>
        <p>The Setup Sprint is free of charge if you complete every step of it:</p>
        <ul>
          {sprintRules.map(({ term, rule }) => (
            <li key={term}>
              <b>{term}.</b> {rule}
            </li>
          ))}
        </ul>
        <p>Missing any step triggers a $299 onboarding fee. We tell you which step was missed before we ask for it.</p>
      </>
    ),
  },
  {
    id: 'plans',
    title: 'Plans and payment',
    body: (
      <>
        <p>
          The prices and limits are those on the <a href={paths.pricing}>pricing page</a> when you subscribe.
          Subscriptions are paid in advance, by the month or by the year, and renew until canceled. Canceling ends the
          renewal; the paid period stays yours.
        </p>
        <p>
          The Basic trial lasts 14 days, starts at checkout, needs a card and is given once per business. Without a
          cancellation it becomes a paid subscription on the last day.
        </p>
        <p>
          If a payment fails we try again on days 3, 5 and 7. Changes in the office stop after that; reading, exporting,
          paying and the work of your crews go on.
        </p>
      </>
    ),
  },
  {
    id: 'data',
    title: 'Your data',
    body: (
      <p>
        What you put in is yours. We use it to run the service for you, as the <a href={paths.privacy}>privacy page</a>{' '}
        says. You need the right to give us what you upload, above all your customers’ names, addresses and numbers.
      </p>
    ),
  },
  {
    id: 'messages',
    title: 'Messages you send',
    body: (
      <p>
        You send texts and mail in your own name and under the law of the place where they arrive. You write only to
        people who agreed to it, and you do not try to get around an opt-out. The <a href={paths.smsTerms}>SMS terms</a>{' '}
        are part of these terms.
      </p>
    ),
  },
  {
    id: 'payments',
    title: 'Payments from your customers',
    body: (
      <p>
        Card payments are carried out by a payment provider under its own agreement with you. We never hold card
        numbers. Refunds and disputes over your work are between you and your customer.
      </p>
    ),
  },
  {
    id: 'use',
    title: 'Fair use',
    body: (
      <p>
        Do not break into the service, overload it, resell it without our word, or use it for anything unlawful. We may
        pause an account that does, and we say why.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    body: (
      <p>
        The service is provided as it is. As far as the law allows, we are not liable for lost profit or indirect
        damage, and what we owe in total is limited to what you paid us in the twelve months before. Nothing here limits
        what the law does not let us limit.
      </p>
    ),
  },
  {
    id: 'end',
    title: 'Ending it',
    body: (
      <p>
        You can leave at any time and take your data with you. If we end the agreement without a breach on your side,
        you get 30 days’ notice and the unused part of what you paid.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and contact',
    body: (
      <p>
        When these terms change in a way that matters to you, we write to you before it applies. Questions:{' '}
        <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>,{' '}
        <a href={telHref(brand.supportPhone)}>{brand.supportPhone}</a>.
      </p>
    ),
  },
]

export const TermsPage = () => (
  <LegalText
    seed={131}
    title="Terms of service"
    lead="The agreement between your business and Swath, in sentences you can read out loud."
    parts={parts}
  />
)
