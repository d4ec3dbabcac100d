import { type ReactNode, useRef, useState } from 'react'
import { IconCamera } from '../icons.ts'
import { FieldButton } from './FieldButton.tsx'
import { hasShellCamera, takeShellPhoto } from './shellCamera.ts'

const didNotOpen = {
  en: 'The camera did not hand over a photo. Nothing else was lost; press again to take it another way.',
  es: 'La cámara no entregó la foto. No se perdió nada más; presiona otra vez para tomarla de otra forma.',
}

/** Opens the camera at once. The picture goes to the caller as the file the phone made. */
export const PhotoButton = ({
  children,
  onPhotos,
  busy,
  disabled,
  multiple,
}: {
  children: ReactNode
  onPhotos: (files: File[]) => void
  busy?: boolean
  disabled?: boolean
  multiple?: boolean
}) => {
  const input = useRef<HTMLInputElement>(null)
  const [taking, setTaking] = useState(false)
  const [failed, setFailed] = useState(false)
  const take = async () => {
    setTaking(true)
    try {
      const photo = await takeShellPhoto()
      if (photo) onPhotos([photo])
    } catch {
      setFailed(true)
    } finally {
      setTaking(false)
    }
  }
  const press = () => {
    if (hasShellCamera() && !failed) void take()
    else input.current?.click()
  }
  return (
    <>
      <FieldButton
        icon={<IconCamera aria-hidden="true" />}
        busy={(busy ?? false) || taking}
        disabled={disabled}
        onClick={press}
      >
        {children}
      </FieldButton>
      {failed ? (
        <p role="alert" className="hint">
          {didNotOpen[document.documentElement.lang === 'es' ? 'es' : 'en']}
        </p>
      ) : null}
      <input
        ref={input}
        className="ui-hidden"
        type="file"
        accept="image/*"
        capture="environment"
        multiple={multiple}
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          setFailed(false)
          if (files.length) onPhotos(files)
        }}
      />
    </>
  )
}
