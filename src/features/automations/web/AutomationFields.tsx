import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { formatPhone } from '../../../shared/phone.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MonthDayField } from '../../../ui/MonthDayField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { TimeField } from '../../../ui/TimeField.tsx'
import { asSms } from '../../businesses/notices/rules.ts'
import { businessQuery } from '../../businesses/web/data.ts'
import { stopWords } from '../../messages/rules.ts'
import { fillTemplate, templateProblem } from '../../messages/templates/rules.ts'
import { TemplatePicker } from '../../messages/templates/web/TemplatePicker.tsx'
import { servicesQuery } from '../../services/web/data.ts'
import { type AutomationKind, kinds } from '../kinds/rules.ts'
import { automationVariables, longestSubject, longestText, sampleValues, segmentsOf } from '../rules.ts'
import { approvalOptions, balanceOptions, stageChips, type Values, wayOptions } from './automationValues.ts'
import { choicesQuery } from './data.ts'

const ManageTemplates = lazy(() =>
  import('../../messages/templates/web/ManageTemplates.tsx').then((m) => ({ default: m.ManageTemplates })),
)

const most = 24

type ChipsProps = {
  label: string
  hint?: string
  values: string[]
  chips: { value: string; label: string }[]
  onChange: (values: string[]) => void
}
/**
 * Choices as chips: the first ones, what was chosen, and all of them on a press. What was chosen before and is offered no more stays to be taken
 * off.
 */
const Chips = ({ label, hint, values, chips, onChange }: ChipsProps) => {
  const [whole, setWhole] = useState(false)
  const known = new Set(chips.map(({ value }) => value))
  const all = [...chips, ...values.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))]
  const shown = whole ? all : all.filter(({ value }, at) => at < most || values.includes(value))
  return all.length === 0 ? null : (
    <div className="au-chips is-whole">
      <b>{label}</b>
      <FilterChips label={label} chips={shown} values={values} onChange={onChange} />
      {shown.length < all.length ? (
        <div>
          <Button size="s" kind="quiet" onClick={() => setWhole(true)}>
            Show all {all.length}
          </Button>
        </div>
      ) : null}
      {hint ? <span className="hint">{hint}</span> : null}
    </div>
  )
}

const languageNames = { en: 'English', es: 'Spanish' } as const

const Preview = ({ text, language, isOffer }: { text: string; language: 'en' | 'es'; isOffer: boolean }) => {
  const business = useQuery(businessQuery).data
  const values = sampleValues(language, {
    name: business?.name ?? '',
    phone: business?.phone ? formatPhone(business.phone) : '',
  })
  const filled = asSms(fillTemplate(text, values).text)
  const segments = segmentsOf(isOffer ? `${filled} ${stopWords[language]}` : filled)
  return (
    <figure className="au-part is-whole">
      <figcaption className="hint">
        {languageNames[language]}, as Rebecca would read it:{' '}
        {segments === 1 ? '1 text segment' : `${segments} text segments`}
        {isOffer ? ', with how to get no more' : ''}
      </figcaption>
      <p className="au-bubble" lang={language}>
        {filled}
      </p>
    </figure>
  )
}

type Props = {
  of: AutomationKind
  form: UseFormReturn<Values>
  mayChange: boolean
}

/** When one leaves, to whom, by which way and in which words: of one that is made and of one that is changed. */
export const AutomationFields = ({ of, form, mayChange }: Props) => {
  const kind = kinds[of]
  const { control, watch, setValue } = form
  const facets = useQuery(choicesQuery).data
  const services = useQuery(servicesQuery).data
  const [picking, setPicking] = useState(false)
  const [managing, setManaging] = useState(false)
  const byMail = watch('ways').includes('email')
  const unit = kind.timing === 'hours' ? 'hours' : 'days'
  const wants = (name: (typeof kind.conditions)[number]) => kind.conditions.includes(name)
  const chips = (list: readonly string[] | undefined) => (list ?? []).map((value) => ({ value, label: value }))
  const error = (text: string) => templateProblem(text)?.replace(' Nothing was saved.', '')
  return (
    <>
      <fieldset className="au-fields" disabled={!mayChange}>
        <FieldGrid min={220}>
          <FormField control={control} name="name" needed="A name is needed.">
            {(f) => <TextField {...f} label="Name" hint="Only the office sees it" maxLength={60} />}
          </FormField>
          {kind.timing === 'yearly' ? (
            <FormField control={control} name="startsOn">
              {(f) => <MonthDayField label="Each year on" value={f.value} onChange={f.onChange} />}
            </FormField>
          ) : (
            <FormField control={control} name="delay" needed={`How many ${unit}?`}>
              {(f) => (
                <NumberField
                  {...f}
                  label={kind.timing === 'before' ? 'How long before' : 'How long after'}
                  unit={unit}
                  min={kind.delay.least}
                  max={kind.delay.most}
                />
              )}
            </FormField>
          )}
          {kind.timing === 'hours' ? null : (
            <FormField control={control} name="atMinute" needed="At what time?">
              {(f) => <TimeField {...f} label="At" hint="In your time zone; quiet hours hold it" step={30} />}
            </FormField>
          )}
          <FormField control={control} name="everyDays" needed="How many days?">
            {(f) => <NumberField {...f} label="Each customer at most every" unit="days" min={1} max={730} />}
          </FormField>
          <FormField control={control} name="ways">
            {(f) => <RadioField {...f} className="is-whole" label="How" options={wayOptions} row />}
          </FormField>
          <FormField control={control} name="approval">
            {(f) => <RadioField {...f} className="is-whole" label="Leaves" options={approvalOptions} />}
          </FormField>
        </FieldGrid>
        <h3>To whom</h3>
        <FieldGrid min={220}>
          {wants('serviceIds') ? (
            <FormField control={control} name="serviceIds">
              {(f) => (
                <Chips
                  label={of === 'upsell' ? 'Offers' : 'Only for these services'}
                  hint={
                    of === 'upsell'
                      ? 'Who has one of them in the year is offered nothing.'
                      : 'None chosen: whatever the service.'
                  }
                  values={f.value}
                  onChange={f.onChange}
                  chips={(services ?? []).map(({ id, name }) => ({ value: id, label: name }))}
                />
              )}
            </FormField>
          ) : null}
          <FormField control={control} name="tags">
            {(f) => (
              <Chips
                label="Only with one of these tags"
                values={f.value}
                onChange={f.onChange}
                chips={chips(facets?.tags)}
              />
            )}
          </FormField>
          <FormField control={control} name="cities">
            {(f) => (
              <Chips
                label="Only in these cities"
                values={f.value}
                onChange={f.onChange}
                chips={chips(facets?.cities)}
              />
            )}
          </FormField>
          <FormField control={control} name="stages">
            {(f) => <Chips label="Only customers who are" values={f.value} onChange={f.onChange} chips={stageChips} />}
          </FormField>
          <FormField control={control} name="balance">
            {(f) => <RadioField {...f} className="is-whole" label="Balance" options={balanceOptions} row />}
          </FormField>
          {wants('lawn') ? (
            <FormField control={control} name="leastLawnSquareFeet">
              {(f) => <NumberField {...f} optional label="Lawns from" unit="sq ft" min={0} />}
            </FormField>
          ) : null}
        </FieldGrid>
        <h3>Words</h3>
        <p className="hint">
          Filled in for each customer: {automationVariables.map((name) => `{${name}}`).join(', ')}. What has no value
          for somebody is not sent to them.
        </p>
        {mayChange ? (
          <div className="au-acts">
            <Button size="s" onClick={() => setPicking(!picking)} aria-expanded={picking}>
              Use a template
            </Button>
          </div>
        ) : null}
        {picking ? (
          <TemplatePicker
            language="en"
            onClose={() => setPicking(false)}
            onManage={() => setManaging(true)}
            onPick={({ textEn, textEs }) => {
              setValue('textEn', textEn.slice(0, longestText), { shouldDirty: true })
              setValue('textEs', textEs.slice(0, longestText), { shouldDirty: true })
              setPicking(false)
            }}
          />
        ) : null}
        <FieldGrid min={260}>
          {byMail ? (
            <FormField control={control} name="subjectEn">
              {(f) => <TextField {...f} label="Subject, English" maxLength={longestSubject} />}
            </FormField>
          ) : null}
          {byMail ? (
            <FormField control={control} name="subjectEs">
              {(f) => <TextField {...f} label="Subject, Spanish" optional maxLength={longestSubject} />}
            </FormField>
          ) : null}
          <FormField control={control} name="textEn" needed="Write the English words first.">
            {(f) => (
              <TextAreaField
                {...f}
                className="is-whole"
                label="English"
                rows={3}
                maxLength={longestText}
                error={error(f.value) ?? f.error}
              />
            )}
          </FormField>
          <Preview text={watch('textEn')} language="en" isOffer={kind.isOffer} />
          <FormField control={control} name="textEs">
            {(f) => (
              <TextAreaField
                {...f}
                className="is-whole"
                label="Spanish"
                optional
                rows={3}
                maxLength={longestText}
                hint="For customers who read Spanish. Left empty, they get the English words."
                error={error(f.value) ?? f.error}
              />
            )}
          </FormField>
          {watch('textEs').trim() ? <Preview text={watch('textEs')} language="es" isOffer={kind.isOffer} /> : null}
        </FieldGrid>
      </fieldset>
      {managing ? (
        <Suspense fallback={null}>
          <ManageTemplates onClose={() => setManaging(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
