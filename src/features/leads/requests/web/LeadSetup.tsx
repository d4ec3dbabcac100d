import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { copyText } from '../../../../ui/copy.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconCopy, IconExternalLink } from '../../../../ui/icons.ts'
import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { type LeadSettings, leadSettingsApi } from '../contract.ts'
import { notZipsIn, type RewardTerms, zipsOf } from '../rules.ts'
import { DrawRing, type Ring } from './DrawRing.tsx'
import { leadSettingsQuery, useSaveLeadSettings } from './data.ts'
import { Part } from './SetupPart.tsx'
import './requests.css'

const addressOf = (path: string): string => new URL(path, window.location.origin).href

const plainForm = (slug: string): string => `<form method="post" action="${addressOf(`/lead-form/${slug}`)}">
  <label>Name <input name="name" required></label>
  <label>Phone <input name="phone" type="tel"></label>
  <label>E-mail <input name="email" type="email"></label>
  <label>ZIP code <input name="zip"></label>
  <label>What do you need? <textarea name="wants"></textarea></label>
  <input name="company" tabindex="-1" autocomplete="off" style="position:absolute;left:-9999px" aria-hidden="true">
  <button>Send</button>
</form>`

const Snippet = ({ label, text }: { label: string; text: string }) => (
  <div className="lead-snippet">
    <div className="lead-snippet__head">
      <b>{label}</b>
      <Button size="s" icon={<IconCopy />} onClick={() => void copyText(text)}>
        Copy<span className="ui-hidden"> {label.toLowerCase()}</span>
      </Button>
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard */}
    <section tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  </div>
)

/** The form itself, as it stands on a website; it sends nothing. */
const Preview = ({ slug }: { slug: string }) => {
  const at = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = at.current
    if (!box) return
    const script = document.createElement('script')
    script.src = `/lead-form/${slug}/form.js`
    script.setAttribute('data-preview', '')
    box.append(script)
    return () => box.replaceChildren()
  }, [slug])
  return <div ref={at} className="lead-preview" />
}

type BookKey = 'bookOn' | 'bookServiceIds' | 'bookDaysAhead' | 'bookMostDaily' | 'bookAsks' | keyof RewardTerms
type Values = Pick<
  LeadSettings,
  'formOn' | 'replyOn' | 'replyText' | 'areaKind' | 'pricesOn' | 'serviceIds' | BookKey
> & {
  zipText: string
}

const valuesOf = (saved: LeadSettings): Values => ({ ...saved, zipText: saved.areaZips.join(', ') })

/** Which services a visitor books into a day, and how far that goes without the office. */
const BookingPart = ({
  form,
  services,
  hasCrew,
}: {
  form: UseFormReturn<Values>
  services: { id: string; name: string }[]
  hasCrew: boolean
}) => {
  const { control } = form
  const [on, chosen] = useWatch({ control, name: ['bookOn', 'bookServiceIds'] })
  return (
    <Part
      title="Pick a day"
      words="After the price a visitor picks the day that adds least driving. Full days and days off are never shown."
    >
      <FormField control={control} name="bookOn">
        {(f) => (
          <SwitchField
            label="Visitors pick a day"
            hint="Off: they request a visit, and you say the day."
            {...f}
            onChange={(value) => {
              f.onChange(value)
              if (value && chosen.length === 0)
                form.setValue(
                  'bookServiceIds',
                  services.map(({ id }) => id),
                )
            }}
          />
        )}
      </FormField>
      {on && !hasCrew ? (
        <Banner tone="warn" title="You have no crew yet.">
          Visitors read that every day is full and request a visit instead. Add a crew under Employees first.
        </Banner>
      ) : null}
      {on ? (
        <>
          <fieldset className="lead-setup__services">
            <legend>What can be booked</legend>
            {services.map(({ id, name }) => (
              <CheckboxField
                key={id}
                label={name}
                value={chosen.includes(id)}
                onChange={(value) =>
                  form.setValue('bookServiceIds', value ? [...chosen, id] : chosen.filter((one) => one !== id), {
                    shouldDirty: true,
                  })
                }
              />
            ))}
          </fieldset>
          <FieldGrid min={180}>
            <FormField control={control} name="bookDaysAhead">
              {(f) => (
                <NumberField label="Days ahead" min={1} max={30} {...f} onChange={(value) => f.onChange(value ?? 14)} />
              )}
            </FormField>
            <FormField control={control} name="bookMostDaily">
              {(f) => (
                <NumberField
                  label="At most a day"
                  unit="bookings"
                  min={1}
                  max={50}
                  {...f}
                  onChange={(value) => f.onChange(value ?? 3)}
                />
              )}
            </FormField>
          </FieldGrid>
          <FormField control={control} name="bookAsks">
            {(f) => (
              <SwitchField
                label="You say yes first"
                hint="Off: customer, job and visit are made at once, and you hear of it."
                {...f}
              />
            )}
          </FormField>
        </>
      ) : null}
    </Part>
  )
}

/** What both get when a customer sends a neighbor. */
const RewardPart = ({ form }: { form: UseFormReturn<Values> }) => {
  const { control } = form
  const on = useWatch({ control, name: 'referralOn' })
  return (
    <Part
      title="Referrals"
      words="Each customer has a code in their record. Who comes with it, and pays a first invoice, earns the reward once, as credit."
    >
      <FormField control={control} name="referralOn">
        {(f) => (
          <SwitchField
            label="Reward referrals"
            hint="A reward that was given stays given, also when that invoice is voided or refunded later: the customer’s record says so, and you may take the credit back."
            {...f}
          />
        )}
      </FormField>
      {on ? (
        <FieldGrid min={180}>
          <FormField control={control} name="referralGiverCents">
            {(f) => <MoneyField label="For who sends" {...f} onChange={(value) => f.onChange(value ?? 0)} />}
          </FormField>
          <FormField control={control} name="referralFriendCents">
            {(f) => <MoneyField label="For who comes" {...f} onChange={(value) => f.onChange(value ?? 0)} />}
          </FormField>
        </FieldGrid>
      ) : null}
    </Part>
  )
}

const areas = [
  { value: 'anywhere', label: 'Anywhere' },
  { value: 'zips', label: 'In these ZIP codes' },
  { value: 'drawn', label: 'Inside a line on the map' },
]

const Editor = ({ saved, onClose }: { saved: LeadSettings; onClose: () => void }) => {
  const mayChange = useMay()(leadSettingsApi.save)
  const save = useSaveLeadSettings()
  const form = useForm<Values>({ defaultValues: valuesOf(saved) })
  const { control } = form
  const [ring, setRing] = useState<Ring>(saved.areaRing ?? [])
  const [areaKind, formOn, replyOn, replyText, pricesOn, serviceIds] = useWatch({
    control,
    name: ['areaKind', 'formOn', 'replyOn', 'replyText', 'pricesOn', 'serviceIds'],
  })
  const submit = async ({
    zipText,
    formOn: on,
    replyOn: reply,
    replyText: text,
    pricesOn: prices,
    serviceIds: ids,
    areaKind: kind,
    bookOn,
    bookServiceIds,
    bookDaysAhead,
    bookMostDaily,
    bookAsks,
    referralOn,
    referralGiverCents,
    referralFriendCents,
  }: Values) => {
    const [wrong] = kind === 'zips' ? notZipsIn(zipText) : []
    if (wrong !== undefined)
      return form.setError('zipText', {
        message: `“${wrong.slice(0, 20)}” is not a ZIP code. Write five digits for each.`,
      })
    await save.mutateAsync({
      version: saved.version,
      formOn: on,
      replyOn: reply,
      replyText: text,
      pricesOn: prices,
      serviceIds: ids,
      areaKind: kind,
      areaZips: zipsOf(zipText),
      areaRing: ring.length >= 3 ? ring : null,
      bookOn,
      bookServiceIds,
      bookDaysAhead,
      bookMostDaily,
      bookAsks,
      referralOn,
      referralGiverCents,
      referralFriendCents,
    })
    toast.success('Form and page saved')
    onClose()
  }
  return (
    <Form form={form} label="Form and page" onSubmit={submit} className="lead-setup">
      {mayChange ? null : (
        <p className="hint">Only somebody with the permission for settings can change this. Ask the owner.</p>
      )}
      <fieldset disabled={!mayChange} className="lead-setup__fields">
        <Part title="A form for your website" words="Whoever fills it in stands in your funnel a moment later.">
          <FormField control={control} name="formOn">
            {(f) => <SwitchField label="Take requests" hint="Off: the form and the page take none." {...f} />}
          </FormField>
          {formOn ? (
            <div className="lead-setup__form">
              <div className="lead-setup__codes">
                <Snippet
                  label="Script tag"
                  text={`<script src="${addressOf(`/lead-form/${saved.slug}/form.js`)}" async></script>`}
                />
                <Snippet label="Plain HTML" text={plainForm(saved.slug)} />
                <p className="hint">
                  Put one of them where the form is to stand. No website yet? Share{' '}
                  <a href={`/lead-form/${saved.slug}`} target="_blank" rel="noreferrer">
                    the form’s own page <IconExternalLink size={14} aria-hidden="true" />
                  </a>
                  . A customer’s referral code goes along as <code>?ref=CODE</code>.
                </p>
              </div>
              <div>
                <b>Preview</b>
                <Preview slug={saved.slug} />
              </div>
            </div>
          ) : null}
        </Part>
        <Part title="The first answer" words="Leaves at once, only to who agreed to texts, and never in quiet hours.">
          <FormField control={control} name="replyOn">
            {(f) => <SwitchField label="Answer by text" {...f} />}
          </FormField>
          {replyOn ? (
            <FormField control={control} name="replyText" needed="Write what they read.">
              {(f) => (
                <TextAreaField
                  label="What they read"
                  rows={2}
                  maxLength={160}
                  hint={`${replyText.length}/160. It is no answer of yours: your own first word is still owed.`}
                  {...f}
                />
              )}
            </FormField>
          ) : null}
        </Part>
        <Part title="Where you work" words="Who asks from elsewhere is kept apart, under Out of area.">
          <FormField control={control} name="areaKind">
            {(f) => (
              <RadioField
                label="You work"
                options={areas}
                {...f}
                onChange={(value) => f.onChange(value as Values['areaKind'])}
              />
            )}
          </FormField>
          {areaKind === 'zips' ? (
            <FormField control={control} name="zipText">
              {(f) => <TextAreaField label="ZIP codes" rows={2} placeholder="31401, 31405, 31406" {...f} />}
            </FormField>
          ) : areaKind === 'drawn' ? (
            <DrawRing
              label="Where you work"
              ring={ring}
              onRing={setRing}
              home={saved.home ? { ...saved.home, name: 'Your yard' } : null}
              closest={10}
            />
          ) : null}
        </Part>
        <Part
          title="Your business page"
          words="A visitor types the address, says how large the lawn is, and sees a price range by your own price rules."
        >
          {saved.publicPage ? (
            <p>
              <a href={`/profile/${saved.slug}`} target="_blank" rel="noreferrer">
                Open your page <IconExternalLink size={14} aria-hidden="true" />
              </a>
            </p>
          ) : (
            <p>
              Your page is switched off. <a href="/profile?section=business#brand">Switch it on in your profile</a>.
            </p>
          )}
          <FormField control={control} name="pricesOn">
            {(f) => <SwitchField label="Show price ranges" hint="Off: they ask, and you say the price." {...f} />}
          </FormField>
          {pricesOn && saved.services.length > 0 ? (
            <fieldset className="lead-setup__services">
              <legend>What has a price there</legend>
              {saved.services.map(({ id, name, mows }) => (
                <CheckboxField
                  key={id}
                  label={name}
                  value={serviceIds.length > 0 ? serviceIds.includes(id) : mows}
                  onChange={(on) => {
                    const now =
                      serviceIds.length > 0 ? serviceIds : saved.services.filter((one) => one.mows).map((one) => one.id)
                    form.setValue('serviceIds', on ? [...now, id] : now.filter((one) => one !== id), {
                      shouldDirty: true,
                    })
                  }}
                />
              ))}
            </fieldset>
          ) : null}
        </Part>
        {pricesOn ? (
          <BookingPart
            hasCrew={saved.hasCrew}
            form={form}
            services={saved.services.filter(({ id, mows }) => (serviceIds.length > 0 ? serviceIds.includes(id) : mows))}
          />
        ) : null}
        <RewardPart form={form} />
      </fieldset>
      {mayChange ? (
        <FormActions>
          <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
            Save form and page
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      ) : null}
    </Form>
  )
}

/** How people find their way into the funnel: the form, the page, where the business works. */
export const LeadSetup = ({ onClose }: { onClose: () => void }) => {
  const found = useQuery(leadSettingsQuery)
  return (
    <Dialog open onClose={onClose} size="l" closeOnOutside={false} title="Your form and your page">
      {found.data ? (
        <Editor saved={found.data} onClose={onClose} />
      ) : found.isError ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </Dialog>
  )
}
