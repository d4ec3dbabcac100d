import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { paths } from '../../../../shared/paths.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { copyText } from '../../../../ui/copy.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconCopy } from '../../../../ui/icons.ts'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { PhoneField } from '../../../../ui/PhoneField.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { Part } from '../../requests/web/SetupPart.tsx'
import { type LeadWays, leadWaysApi } from '../contract.ts'
import { leadWaysQuery, useSaveLeadWays } from './data.ts'
import '../../requests/web/requests.css'

type Values = Omit<LeadWays, 'version' | 'mailAddress' | 'voiceUrl'>

/** An address to be put somewhere else. */
const Address = ({ label, text }: { label: string; text: string }) => (
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

const Editor = ({ saved, onClose }: { saved: LeadWays; onClose: () => void }) => {
  const mayChange = useMay()(leadWaysApi.save)
  const save = useSaveLeadWays()
  const form = useForm<Values>({ defaultValues: saved })
  const { control } = form
  const [mailOn, textOn, textEn, textEs] = useWatch({ control, name: ['mailOn', 'textOn', 'textEn', 'textEs'] })
  const submit = async (values: Values) => {
    const { callNumber, forwardTo, ringSeconds, pressKey, strangerLanguage } = values
    await save.mutateAsync({
      version: saved.version,
      ...{ mailOn: values.mailOn, callNumber, forwardTo, ringSeconds, pressKey },
      ...{ textOn: values.textOn, textEn: values.textEn, textEs: values.textEs, strangerLanguage },
    })
    toast.success('Calls and mail saved')
    onClose()
  }
  return (
    <Form form={form} label="Calls and mail" onSubmit={submit} className="lead-setup">
      {mayChange ? null : (
        <p className="hint">Only somebody with the permission for settings can change this. Ask the owner.</p>
      )}
      <fieldset disabled={!mayChange} className="lead-setup__fields">
        <Part
          title="Calls"
          words="Your business number lets your own phone ring. A call that nobody takes is a lead; a customer’s stands in their timeline and under Needs you."
        >
          <FieldGrid min={200}>
            <FormField control={control} name="callNumber">
              {(f) => <PhoneField label="Number that people dial" optional {...f} />}
            </FormField>
            <FormField control={control} name="forwardTo">
              {(f) => <PhoneField label="Phone that rings" optional hint="Empty: nobody takes calls here." {...f} />}
            </FormField>
            <FormField control={control} name="ringSeconds">
              {(f) => (
                <NumberField
                  label="It rings for"
                  unit="seconds"
                  min={5}
                  max={40}
                  hint="Shorter than until your own mailbox picks up."
                  {...f}
                  onChange={(value) => f.onChange(value ?? 18)}
                />
              )}
            </FormField>
          </FieldGrid>
          <FormField control={control} name="pressKey">
            {(f) => (
              <SwitchField
                label="Press a key to take a call"
                hint="A mailbox presses none, so it never counts as an answer."
                {...f}
              />
            )}
          </FormField>
          <p className="hint">
            Texts leave from a number of your own only once the carriers know you:{' '}
            <LinkTo href={`${paths.profile}?section=messages#texts`}>register your texts</LinkTo>.
          </p>
          {saved.voiceUrl ? (
            <Address label="Address for “A call comes in”" text={saved.voiceUrl} />
          ) : mayChange ? (
            <p className="hint">
              No phone provider is set up on this server. Try it on the <a href="/local/phone">local phone</a>: pick one
              up and call the business.
            </p>
          ) : null}
        </Part>
        <Part
          title="Text back after a missed call"
          words="One text a day to a number of the United States or Canada, never in quiet hours, never to who wants no texts, and not to who was called or written to by then."
        >
          <FormField control={control} name="textOn">
            {(f) => <SwitchField label="Text who was not answered" {...f} />}
          </FormField>
          {textOn ? (
            <>
              <FormField control={control} name="textEn" needed="Write what they read.">
                {(f) => (
                  <TextAreaField
                    label="In English"
                    rows={2}
                    maxLength={160}
                    hint={`${textEn.length}/160. Your business’s name stands before it, and the first text to a number says how to get no more.`}
                    {...f}
                  />
                )}
              </FormField>
              <FormField control={control} name="textEs" needed="Write what they read.">
                {(f) => (
                  <TextAreaField label="In Spanish" rows={2} maxLength={160} hint={`${textEs.length}/160`} {...f} />
                )}
              </FormField>
              <FormField control={control} name="strangerLanguage">
                {(f) => (
                  <RadioField
                    row
                    label="Who you do not know yet reads"
                    options={[
                      { value: 'en', label: 'English' },
                      { value: 'es', label: 'Spanish' },
                    ]}
                    {...f}
                    onChange={(value) => f.onChange(value === 'es' ? 'es' : 'en')}
                  />
                )}
              </FormField>
            </>
          ) : null}
        </Part>
        <Part
          title="Mail"
          words="Whoever writes to this address is a lead a moment later, also through your website’s form or a portal; a customer’s mail stands in their messages. Newsletters, lists and automatic answers are left out."
        >
          <FormField control={control} name="mailOn">
            {(f) => <SwitchField label="Take leads by mail" {...f} />}
          </FormField>
          {mailOn && saved.mailAddress ? (
            <>
              <Address label="Your address for leads" text={saved.mailAddress} />
              <p className="hint">Put it on your website, or let your own mailbox forward to it.</p>
            </>
          ) : mailOn && mayChange ? (
            <Banner tone="info" title="No mail reaches this server yet.">
              Whoever runs it sets that up; then your address stands here.
            </Banner>
          ) : null}
        </Part>
      </fieldset>
      {mayChange ? (
        <FormActions>
          <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
            Save calls and mail
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      ) : null}
    </Form>
  )
}

/** The other ways in: the phone that rings, what a missed caller reads, and mail. */
export const WaysIn = ({ onClose }: { onClose: () => void }) => {
  const found = useQuery(leadWaysQuery)
  return (
    <Dialog open onClose={onClose} size="l" closeOnOutside={false} title="Calls and mail">
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
