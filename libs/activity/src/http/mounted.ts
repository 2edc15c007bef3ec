import { Controller, UseGuards, type CanActivate, type Type } from '@nestjs/common';
import { GUARDS_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ControllerConfig } from '../options/activity.options';
import { optionError } from '../errors/check';

/**
 * A controller at an app's own path, with its guards and decorators. It is a class of its own, so that two modules of one
 * process, or a test's, do not change each other's.
 */
export function mounted(controller: Type, { path = '', guards = [], decorators = [] }: ControllerConfig): Type {
  if (!/^\/?([^/\s?#]+\/)*([^/\s?#]+)?$/.test(path)) {
    throw optionError('controllers.path', path, 'use segments with one "/" between them: "api" or "/api/v1"');
  }
  const ownPath = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const Mounted = class extends controller {};
  // OpenAPI names operations after the class.
  Object.defineProperty(Mounted, 'name', { value: controller.name });
  Controller([path, ownPath].join('/').replace(/\/{2,}/g, '/'))(Mounted);
  const ownGuards = (Reflect.getMetadata(GUARDS_METADATA, controller) ?? []) as readonly Type<CanActivate>[];
  // Guards run in the order in which they were put there: the app's, which may throttle or audit, before the module's.
  Reflect.defineMetadata(GUARDS_METADATA, [], Mounted);
  UseGuards(...guards)(Mounted);
  for (const decorate of decorators) decorate(Mounted);
  UseGuards(...ownGuards)(Mounted);
  return Mounted;
}
