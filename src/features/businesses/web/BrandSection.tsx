import { useContext, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useSession } from '../../accounts/web/session.ts'
import type { BusinessSettings } from '../contract.ts'
import { slugProblem } from '../rules.ts'
import { useRemoveLogo, useSetLogo } from './data.ts'
import { InvoiceLook } from './InvoiceLook.tsx'
import { PublicFace } from './PublicFace.tsx'
import { MayChange, Section } from './Section.tsx'

const megabytes = 15 * 1024 * 1024

/** The logo: on invoices, the page where customers pay, and the public page. */
export const LogoSection = ({ settings }: { settings: BusinessSettings }) => {
  const mayChange = useContext(MayChange)
  const set = useSetLogo()
  const remove = useRemoveLogo()
  const [failed, setFailed] = useState<string | undefined>()
  const message = (error: unknown) => setFailed(error instanceof Error ? error.message : 'The logo could not be saved.')
  return (
    <Card id="logo" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Logo</h2>
        <p className="muted">On invoices, the page where customers pay, and your public page.</p>
      </div>
      {settings.logoUrl ? (
        <div className="logo-now">
          <img src={settings.logoUrl} alt={`Logo of ${settings.name}`} />
          {mayChange ? (
            <Button
              loading={remove.isPending}
              onClick={() =>
                remove.mutate(undefined, { onSuccess: () => toast.success('Logo removed'), onError: message })
              }
            >
              Remove
            </Button>
          ) : null}
        </div>
      ) : null}
      {mayChange ? (
        <FileDrop
          label={settings.logoUrl ? 'Drop another logo here, or choose one' : 'Drop your logo here, or choose one'}
          hint={set.isPending ? 'Saving…' : 'PNG, JPEG or WebP, up to 15 MB. White around it is fine.'}
          accept="image/png,image/jpeg,image/webp"
          maxBytes={megabytes}
          error={failed}
          disabled={set.isPending}
          onFiles={([file]) => {
            setFailed(undefined)
            if (file) set.mutate(file, { onSuccess: () => toast.success('Logo saved'), onError: message })
          }}
        />
      ) : null}
    </Card>
  )
}

const color = /^#[0-9a-f]{6}$/i

/** The color on invoices, mails, the page where customers pay, and the public page. */
export const ColorSection = ({ settings }: { settings: BusinessSettings }) => (
  <Section
    id="color"
    title="Your color"
    lead="On invoices, mails, the page where customers pay, and your public page."
    settings={settings}
    saved="Your color is saved"
    pick={(s) => ({ brandColor: s.brandColor })}
    words={{ brandColor: 'Your color' }}
    toChange={(values) => values}
  >
    {({ control, watch }) => {
      const typed = watch('brandColor')
      const shown = color.test(typed) ? typed : settings.brandColor
      return (
        <>
          <FormField control={control} name="brandColor">
            {(f) => (
              <TextField
                {...f}
                label="Your color"
                maxLength={7}
                spellCheck={false}
                before={
                  <input
                    type="color"
                    className="brand-fields__well"
                    aria-label="Pick your color"
                    value={shown}
                    onChange={(event) => f.onChange(event.target.value)}
                  />
                }
              />
            )}
          </FormField>
          <InvoiceLook
            settings={settings}
            color={shown}
            message={settings.invoiceMessage}
            termsDays={settings.termsDays}
          />
        </>
      )
    }}
  </Section>
)

/** The public page: its address, what it says, and how it looks. */
export const PublicPageSection = ({ settings }: { settings: BusinessSettings }) => {
  const session = useSession()
  return (
    <Section
      id="page"
      title="Public page"
      lead="What everybody may see of your business, with an address to print on the truck."
      settings={settings}
      saved="Public page saved"
      onSaved={() => void session.refreshUser()}
      pick={(s) => ({
        slug: s.slug,
        publicPage: s.publicPage,
        publicAbout: s.publicAbout,
        publicEmail: s.publicEmail,
      })}
      words={{
        slug: { label: 'Address', show: (slug) => `/profile/${slug}` },
        publicPage: 'Show the page to everybody',
        publicAbout: 'About you',
        publicEmail: 'Show the e-mail on it',
      }}
      toChange={(v) => ({ ...v, slug: v.slug.trim().toLowerCase() })}
    >
      {({ control, watch }) => {
        const [slug, about, shown, withEmail] = watch(['slug', 'publicAbout', 'publicPage', 'publicEmail'])
        const moved = slug.trim().toLowerCase() !== settings.slug && !slugProblem(slug)
        return (
          <>
            <FormField control={control} name="publicPage">
              {(f) => <SwitchField {...f} label="Show the page to everybody" />}
            </FormField>
            {settings.email ? (
              <FormField control={control} name="publicEmail">
                {(f) => <SwitchField {...f} label={`Show ${settings.email} on it`} />}
              </FormField>
            ) : null}
            <FormField control={control} name="slug">
              {(f) => (
                <TextField
                  {...f}
                  label="Address"
                  before={<span className="muted">/profile/</span>}
                  maxLength={50}
                  spellCheck={false}
                  autoComplete="off"
                  hint={
                    moved
                      ? `The old address /profile/${settings.slug} leads to the new one.`
                      : 'Small letters, digits and dashes.'
                  }
                />
              )}
            </FormField>
            <FormField control={control} name="publicAbout">
              {(f) => (
                <TextAreaField
                  {...f}
                  label="About you"
                  optional
                  rows={3}
                  maxLength={1000}
                  placeholder="Family-run since 2009. Weekly mowing, treatments and cleanups between the river and the coast."
                />
              )}
            </FormField>
            <figure className="invoice-look">
              <figcaption className="hint">
                {shown ? 'How visitors see it' : 'How it would look; nobody sees it now'}
                {shown ? (
                  <>
                    {' '}
                    <a href={`/profile/${settings.slug}`} target="_blank" rel="noreferrer">
                      Open the page
                    </a>
                  </>
                ) : null}
              </figcaption>
              <PublicFace
                preview
                business={{
                  slug: settings.slug,
                  name: settings.name,
                  color: settings.brandColor,
                  logoUrl: settings.logoUrl,
                  about: about.trim(),
                  services: settings.publicServices,
                  phone: settings.phone,
                  email: withEmail ? settings.email : null,
                  place: [settings.city, settings.state].filter(Boolean).join(', ') || null,
                  portal: false,
                }}
              />
            </figure>
          </>
        )
      }}
    </Section>
  )
}
