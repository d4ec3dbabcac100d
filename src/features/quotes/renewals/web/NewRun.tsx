import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../../../shared/client.ts'
import { addDays, addMonths } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../../ui/FilterChips.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import type { BusinessSettings } from '../../../businesses/contract.ts'
import { businessQuery } from '../../../invoices/web/data.ts'
import { later } from '../../../jobs/undated/rules.ts'
import { renewalsApi } from '../contract.ts'
import { type Raise, type RunMode, usualSeason } from '../rules.ts'
import { candidatesQuery, useCreateRun } from './data.ts'
import { RaiseFields } from './RaiseFields.tsx'

const words =
  'Thank you for the past season. Here is what we would do next season, with its prices. We look forward to taking care of your lawn again.'

const Fields = ({ business }: { business: Pick<BusinessSettings, 'seasonStart' | 'seasonEnd'> }) => {
  const today = useToday()
  const navigate = useNavigate()
  const season = usualSeason({ start: business.seasonStart, end: business.seasonEnd }, today)
  const early = addDays(season.startsOn, -21)
  const [name, setName] = useState(`Season ${season.startsOn.slice(0, 4)}`)
  const [work, setWork] = useState<'all' | 'programs' | 'recurring'>('all')
  const [programIds, setProgramIds] = useState<string[]>([])
  const [serviceIds, setServiceIds] = useState<string[]>([])
  const [tags, setTags] = useState<string[]>([])
  const [endsBy, setEndsBy] = useState<string | null>(null)
  const [startsOn, setStartsOn] = useState<string | null>(season.startsOn)
  const [endsOn, setEndsOn] = useState<string | null>(season.endsOn)
  const [answerBy, setAnswerBy] = useState<string | null>(later(early, addDays(today, 7)))
  const [raise, setRaise] = useState<Raise>({ kind: 'percent', value: 500, roundTo: 100 })
  const [prepay, setPrepay] = useState<number | null>(5)
  const [mode, setMode] = useState<RunMode>('ask')
  const [byMail, setByMail] = useState(true)
  const [byText, setByText] = useState(false)
  const [message, setMessage] = useState(words)
  const [terms, setTerms] = useState('')
  const create = useCreateRun()
  const filter = { work, programIds, serviceIds, tags, endsBy }
  const found = useQuery(candidatesQuery({ filter, startsOn: startsOn ?? season.startsOn }))
  const wrong = new Map(
    create.error instanceof ApiError ? create.error.errors.map(({ path, message: text }) => [path, text]) : [],
  )
  const submit = async () => {
    if (!startsOn || !answerBy) return
    const run = await create.mutateAsync({
      name,
      filter,
      startsOn,
      endsOn,
      answerBy,
      raise: raise as never,
      prepayPercent: Math.round((prepay ?? 0) * 100),
      mode,
      byMail,
      byText,
      message,
      terms,
    })
    await navigate(linkTo.renewalRun(run.id))
  }
  const jobs = found.data?.jobs ?? 0
  return (
    <div className="rn-new">
      <Card title="Whose work" as="section">
        <div className="qt-form">
          <RadioField
            label="What to renew"
            row
            value={work}
            onChange={(next) => {
              setWork(next)
              setProgramIds([])
              setServiceIds([])
            }}
            options={[
              { value: 'all', label: 'Everything that comes back' },
              { value: 'programs', label: 'Programs of rounds' },
              { value: 'recurring', label: 'Recurring services' },
            ]}
          />
          {found.data && found.data.programs.length > 0 && work !== 'recurring' ? (
            <div className="rn-filter">
              <span className="ui-field__label">Only these programs</span>
              <FilterChips
                label="Programs"
                values={programIds}
                onChange={setProgramIds}
                chips={found.data.programs.map((one) => ({ value: one.id, label: one.name, count: one.count }))}
              />
            </div>
          ) : null}
          {found.data && found.data.services.length > 0 ? (
            <div className="rn-filter">
              <span className="ui-field__label">Only with these services</span>
              <FilterChips
                label="Services"
                values={serviceIds}
                onChange={setServiceIds}
                chips={found.data.services.map((one) => ({ value: one.id, label: one.name, count: one.count }))}
              />
            </div>
          ) : null}
          {found.data && found.data.tags.length > 0 ? (
            <div className="rn-filter">
              <span className="ui-field__label">Only customers with these tags</span>
              <FilterChips
                label="Tags"
                values={tags}
                onChange={setTags}
                chips={found.data.tags.map((one) => ({ value: one.name, label: one.name, count: one.count }))}
              />
            </div>
          ) : null}
          <DateField
            label="Only work that ends by"
            optional
            value={endsBy}
            onChange={setEndsBy}
            hint="Empty: also work that has no end."
          />
        </div>
      </Card>
      <Card title="The next season" as="section">
        <div className="qt-form">
          <TextField label="Name of this renewal" value={name} onChange={setName} maxLength={120} />
          <FieldGrid min={190}>
            <DateField
              label="Begins"
              value={startsOn}
              onChange={setStartsOn}
              min={addDays(today, 1)}
              error={wrong.get('startsOn')}
            />
            <DateField
              label="Ends"
              optional
              value={endsOn}
              onChange={setEndsOn}
              hint="Empty: it goes on without an end."
              error={wrong.get('endsOn')}
              {...(startsOn ? { min: startsOn, max: addMonths(startsOn, 12) } : {})}
            />
          </FieldGrid>
          <p className="hint">
            Recurring work keeps its rule: the same weekday, the same weeks. The old series ends the day before.
            Programs open their rounds by their own windows.
          </p>
        </div>
      </Card>
      <Card title="Prices" as="section">
        <div className="qt-form">
          <RaiseFields value={raise} onChange={setRaise} error={wrong.get('raise.value')} />
          <NumberField
            label="Less for who pays the season ahead"
            optional
            unit="%"
            min={0}
            max={50}
            step={0.5}
            value={prepay}
            onChange={setPrepay}
            hint="Empty: nobody is offered to pay ahead."
            error={wrong.get('prepayPercent')}
          />
          <p className="hint">You see every customer’s price before anything is sent, and can change each of them.</p>
        </div>
      </Card>
      <Card title="The answer" as="section">
        <div className="qt-form">
          <RadioField
            label="Without an answer"
            value={mode}
            onChange={setMode}
            options={[
              { value: 'ask', label: 'It does not renew', hint: 'They sign, ask for changes or say no on their page.' },
              {
                value: 'auto',
                label: 'It renews by itself',
                hint: 'They are told so, and can say no or ask for changes until the day below.',
              },
            ]}
          />
          <FieldGrid min={190}>
            <DateField
              label="Last day to answer"
              value={answerBy}
              onChange={setAnswerBy}
              min={addDays(today, 1)}
              error={wrong.get('answerBy')}
            />
          </FieldGrid>
          <div className="rn-ways">
            <CheckboxField label="By e-mail" value={byMail} onChange={setByMail} error={wrong.get('byMail')} />
            <CheckboxField label="By text" value={byText} onChange={setByText} />
          </div>
          <TextAreaField label="Message" optional rows={3} value={message} onChange={setMessage} maxLength={2000} />
          <TextAreaField label="Terms" optional rows={3} value={terms} onChange={setTerms} maxLength={8000} />
        </div>
      </Card>
      {found.isError ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not count the jobs"
          onRetry={() => void found.refetch()}
        />
      ) : null}
      {create.error && wrong.size === 0 ? <Banner tone="error">{create.error.message}</Banner> : null}
      <FormActions>
        <Button
          calls={renewalsApi.create}
          kind="primary"
          size="l"
          loading={create.isPending}
          disabled={jobs === 0 || !startsOn || !answerBy || name.trim() === ''}
          onClick={() => void submit().catch(() => undefined)}
        >
          {jobs === 0
            ? 'Nothing to renew'
            : `Look over ${jobs.toLocaleString('en-US')} ${jobs === 1 ? 'renewal' : 'renewals'}`}
        </Button>
        <Button href={linkTo.renewals()}>Cancel</Button>
      </FormActions>
    </div>
  )
}

/** A renewal is put together: whose, when, at which prices, and what no answer means. */
export const NewRun = () => {
  const business = useQuery(businessQuery)
  return (
    <>
      <PageHeader title="Renew a season" sub="Choose whose work goes on and how prices change; nothing is sent yet." />
      {business.data ? (
        <Fields business={business.data} />
      ) : business.isError ? (
        <ErrorState error={business.error} onRetry={() => void business.refetch()} />
      ) : (
        <CardSkeleton />
      )}
    </>
  )
}
