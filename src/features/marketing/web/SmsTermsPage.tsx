import { brand } from '../../../shared/brand.ts'
import { paths } from '../../../shared/paths.ts'
import { telHref } from '../rules.ts'
import { type LegalPart, LegalText } from './LegalText.tsx'

const parts: readonly LegalPart[] = [
  {
    id: 'program',
    title: 'What these texts are',
    body: (
      <p>
        Lawn-care businesses use {brand.name} to text their customers about visits, quotes and invoices, and, where a
        customer agreed to it, about offers. {brand.name} itself may text people who applied for or use it. How often
        depends on the work booked.
      </p>
    ),
  },
  {
    id: 'consent',
    title: 'Consent',
    body: (
      <>
        <p>
          Texts go to people who gave their number for that purpose. Agreeing to texts about your service and agreeing
          to marketing texts are two different things, and each is recorded with its wording, place and time.
        </p>
        <p>Consent is not a condition of buying anything.</p>
      </>
    ),
  },
  {
    id: 'stop',
    title: 'How to stop',
    body: (
      <p>
        Reply <b>STOP</b> to any text. You get one confirmation and nothing more. <b>START</b> turns texts on again. You
        may also tell the business in any other clear way.
      </p>
    ),
  },
  {
    id: 'help',
    title: 'How to get help',
    body: (
      <p>
        Reply <b>HELP</b>, write to <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a> or call{' '}
        <a href={telHref(brand.supportPhone)}>{brand.supportPhone}</a>.
      </p>
    ),
  },
  {
    id: 'hours',
    title: 'Hours',
    body: (
      <p>
        Texts about your service are sent between 8 AM and 9 PM your time. Marketing texts are sent between 9 AM and 8
        PM, on Sundays between noon and 5 PM, and less where your state is stricter.
      </p>
    ),
  },
  {
    id: 'rates',
    title: 'Cost and carriers',
    body: <p>Message and data rates may apply. Carriers are not liable for delayed or undelivered messages.</p>,
  },
  {
    id: 'privacy',
    title: 'Your number',
    body: (
      <p>
        Numbers and consent are never sold or shared for others’ marketing. More in <a href={paths.privacy}>Privacy</a>.
      </p>
    ),
  },
]

export const SmsTermsPage = () => (
  <LegalText
    seed={167}
    title="Text message terms"
    lead="For everyone who gets a text sent through Swath, and for the businesses that send them."
    parts={parts}
  />
)
