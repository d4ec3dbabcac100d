import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { endShell, playShell } from '../testing/playShell.ts'
import { show } from '../testing/show.tsx'
import { PhotoButton } from './PhotoButton.tsx'

afterEach(() => {
  endShell()
  vi.restoreAllMocks()
  document.documentElement.lang = ''
})

const drawn = () => {
  const taken: File[] = []
  const { user } = show(<PhotoButton onPhotos={(files) => taken.push(...files)}>Photo before</PhotoButton>)
  const field = document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement
  const opened = vi.spyOn(field, 'click').mockImplementation(() => undefined)
  const press = () => user.click(screen.getByRole('button', { name: 'Photo before' }))
  return { taken, opened, press, field, user }
}

it('in a browser the button opens the file field, and its pictures go to the caller', async () => {
  const { taken, opened, press, field, user } = drawn()
  await press()
  expect(opened).toHaveBeenCalledOnce()
  await user.upload(field, new File(['x'], 'lawn.jpg', { type: 'image/jpeg' }))
  expect(taken.map(({ name }) => name)).toEqual(['lawn.jpg'])
})

it('on iOS, and where the shell has no camera, it is the file field too', async () => {
  for (const shell of [{ parts: ['Camera'], system: 'ios' as const }, { parts: ['App'] }]) {
    const played = playShell(shell)
    const { opened, press } = drawn()
    await press()
    expect(opened).toHaveBeenCalledOnce()
    expect(played.asked).toEqual([])
    document.body.replaceChildren()
  }
})

it('in the Android shell the phone takes the picture and hands it over smaller', async () => {
  const shell = playShell({
    parts: ['Camera'],
    answers: { 'Camera.takePhoto': () => ({ webPath: 'https://swath.test/_capacitor_file_/cache/1.jpg' }) },
  })
  const read = vi
    .spyOn(globalThis, 'fetch')
    .mockResolvedValue(new Response(new Blob(['picture'], { type: 'image/jpeg' })))
  const { taken, opened, press } = drawn()
  await press()
  await waitFor(() => expect(taken).toHaveLength(1))
  expect(await taken[0]?.text()).toBe('picture')
  expect(taken[0]?.type).toBe('image/jpeg')
  expect(read).toHaveBeenCalledWith('https://swath.test/_capacitor_file_/cache/1.jpg')
  expect(shell.asked).toEqual([
    {
      part: 'Camera',
      method: 'takePhoto',
      options: { quality: 90, targetWidth: 2400, targetHeight: 2400, correctOrientation: true },
    },
  ])
  expect(opened).not.toHaveBeenCalled()
})

it('going back without a picture is no failure', async () => {
  playShell({
    parts: ['Camera'],
    answers: { 'Camera.takePhoto': () => Promise.reject(Object.assign(new Error('x'), { code: 'OS-PLUG-CAMR-0006' })) },
  })
  const { taken, press } = drawn()
  await press()
  await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-busy')).not.toBe('true'))
  expect(taken).toEqual([])
  expect(screen.queryByRole('alert')).toBeNull()
})

it('where the camera fails it says so in the language of the person, and the next press goes by the file field', async () => {
  document.documentElement.lang = 'es'
  playShell({ parts: ['Camera'], answers: { 'Camera.takePhoto': () => Promise.reject(new Error('No camera.')) } })
  const { taken, opened, press } = drawn()
  await press()
  expect((await screen.findByRole('alert')).textContent).toMatch(/^La cámara no entregó la foto/)
  expect(opened).not.toHaveBeenCalled()
  await press()
  expect(opened).toHaveBeenCalledOnce()
  expect(taken).toEqual([])
})
