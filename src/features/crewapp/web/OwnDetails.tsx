import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPhone } from '../../../shared/phone.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldFacts } from '../../../ui/field/FieldFacts.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import type { Me } from '../../accounts/me/contract.ts'
import { meQuery, useAskForEmail, useChangePassword, useSignOutOthers } from '../../accounts/me/web/data.ts'
import { OwnNameForm } from './OwnNameForm.tsx'
import { SheetForm } from './SheetForm.tsx'
import type { Texts } from './texts.ts'

type Part = 'details' | 'email' | 'password'

const Forms = ({
  part,
  me,
  t,
  onDone,
}: {
  part: Part
  me: Me
  t: Texts
  onDone: (said: (now: Texts) => string) => void
}) => {
  const ask = useAskForEmail()
  const password = useChangePassword()
  if (part === 'details') return <OwnNameForm me={me} t={t} onSaved={() => onDone((now) => now.own.saved)} />
  if (part === 'email')
    return (
      <SheetForm
        action={t.own.sendLink}
        failed={t.own.failed}
        language={t.speaks}
        lead={t.own.emailNote}
        fields={[
          { name: 'email', label: t.own.newEmail, type: 'email', autoComplete: 'email' },
          { name: 'password', label: t.own.yourPassword, type: 'password', autoComplete: 'current-password' },
        ]}
        onSave={async ({ email = '', password: proof = '' }) => {
          await ask.mutateAsync({ email: email.trim(), password: proof })
          onDone((now) => now.own.linkSent)
        }}
      />
    )
  return (
    <SheetForm
      action={t.own.changePassword}
      failed={t.own.failed}
      language={t.speaks}
      lead={t.own.passwordNote}
      fields={[
        { name: 'currentPassword', label: t.own.yourPassword, type: 'password', autoComplete: 'current-password' },
        { name: 'password', label: t.own.newPassword, type: 'password', autoComplete: 'new-password' },
      ]}
      onSave={async ({ currentPassword = '', password: next = '' }) => {
        await password.mutateAsync({ currentPassword, password: next })
        onDone((now) => now.own.passwordSaved)
      }}
    />
  )
}

/** What a crew member keeps of themselves: name, phone, e-mail, password. Needs a signal; the day does not. */
export const OwnDetails = ({ t }: { t: Texts }) => {
  const { data: me } = useQuery(meQuery)
  const others = useSignOutOthers()
  const [part, setPart] = useState<Part | null>(null)
  // in whatever language is read by then
  const [said, setSaid] = useState<((t: Texts) => string) | null>(null)
  if (!me) return null
  const titles: Record<Part, string> = {
    details: t.own.title,
    email: t.own.changeEmail,
    password: t.own.changePassword,
  }
  const open = (next: Part) => {
    setSaid(null)
    setPart(next)
  }
  return (
    <FieldCard>
      <div className="c-stack">
        <h2>{t.own.title}</h2>
        <FieldFacts
          items={[
            { label: t.own.name, value: me.name },
            { label: t.own.phone, value: me.phone ? formatPhone(me.phone) : t.own.none },
            { label: t.own.email, value: me.email ?? t.own.none },
          ]}
        />
        {me.pendingEmail ? <Alert tone="wait">{t.own.waits(me.pendingEmail)}</Alert> : null}
        {said ? <Alert tone="done">{said(t)}</Alert> : null}
        <div className="f-actions">
          <FieldButton onClick={() => open('details')}>{t.own.edit}</FieldButton>
          {me.hasPassword ? (
            <>
              <FieldButton onClick={() => open('email')}>{t.own.changeEmail}</FieldButton>
              <FieldButton onClick={() => open('password')}>{t.own.changePassword}</FieldButton>
            </>
          ) : null}
          <FieldButton
            busy={others.isPending}
            onClick={() =>
              others.mutate(undefined, {
                onSuccess: ({ ended }) => setSaid(() => (now: Texts) => now.own.othersOut(ended)),
                onError: () => setSaid(() => (now: Texts) => now.own.failed),
              })
            }
          >
            {t.own.signOutOthers}
          </FieldButton>
        </div>
      </div>
      <Sheet open={part !== null} onClose={() => setPart(null)} title={part ? titles[part] : ''} closeLabel={t.close}>
        {part ? (
          <Forms
            key={part}
            part={part}
            me={me}
            t={t}
            onDone={(message) => {
              setPart(null)
              setSaid(() => message)
            }}
          />
        ) : null}
      </Sheet>
    </FieldCard>
  )
}
